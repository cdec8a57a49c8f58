import { Link } from '@tanstack/react-router'
import { profileLink, settingsLink } from '#web/dashboard/kit/navigation/links.ts'
import { AccountName } from './account-name.tsx'
import { accountLabel } from './account-text.ts'
import { useStaffAccount } from './staff-role.tsx'

const menuId = 'account-menu'
const close = () => document.getElementById(menuId)?.hidePopover()

/**
 * Shows the signed-in person in the bar of the dashboard, as a link to the profile. On the narrowest phones, where the
 * bar has no room for this link and the link to the settings, a menu contains these two links.
 */
export function AccountLink() {
  const account = useStaffAccount()
  const label = accountLabel(account)
  return (
    <>
      <Link className="account-link" aria-label={label} {...profileLink}>
        <AccountName {...account} />
      </Link>
      <button type="button" className="account-link" aria-label={label} popoverTarget={menuId}>
        <AccountName {...account} />
      </button>
      <div id={menuId} popover="auto" className="account-menu">
        <Link onClick={close} {...profileLink}>
          Profile
        </Link>
        <Link onClick={close} {...settingsLink()}>
          Settings
        </Link>
      </div>
    </>
  )
}
