import { databaseErrors } from '#contracts/database-errors.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { reasonOf } from '../kit/save-errors.ts'
import type { StaffAccount } from './accounts-api.ts'

type Props = {
  error: Error | null
  /** The email address of the invitation, as the user typed it. */
  email: string
  accounts: readonly StaffAccount[]
  onSwitchOn: (account: StaffAccount) => void
}

/**
 * Explains why an invitation was not sent, for example because a staff account already uses the email address, and
 * offers the next step.
 */
export function AddressTaken({ error, email, accounts, onSwitchOn }: Props) {
  if (!error) return null
  const holder = accounts.find((account) => account.email === email.trim().toLowerCase())
  if (reasonOf(error) === 'address_has_account' && holder) {
    return (
      <Notice
        tone="bad"
        title={`${holder.name} has this address${holder.isActive ? '.' : ' and is off.'}`}
      >
        {!holder.isActive && (
          <Button compact onClick={() => onSwitchOn(holder)}>
            Switch {holder.name} on
          </Button>
        )}
      </Notice>
    )
  }
  return (
    <Notice tone="bad" title="The invitation was not sent">
      {textOf(error)}
    </Notice>
  )
}

function textOf(error: Error): string {
  if (reasonOf(error) === 'staff_invitations_one_open_for_an_address') {
    return 'An invitation to this address is open. Send it again, or take it back.'
  }
  if (!(error instanceof DataError) || error.status === 0) {
    return 'The server did not respond. Press the button again: the invitation is sent only once.'
  }
  const known: Readonly<Record<string, { message: string }>> = databaseErrors
  return known[error.code]?.message ?? error.message
}
