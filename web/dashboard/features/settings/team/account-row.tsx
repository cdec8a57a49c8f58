import { roleNames, type StaffRole } from '#contracts/staff-accounts.ts'
import type { SignInWays } from '#contracts/team.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { useStaffAccount } from '#web/dashboard/kit/staff/staff-role.tsx'
import { Initials } from './initials.tsx'
import { MoreMenu } from './more-menu.tsx'
import { SignInMark } from './sign-in-mark.tsx'
import type { StaffAccount } from './accounts-api.ts'

type Props = {
  account: StaffAccount
  isDisabled: boolean
  /** The ways in which the team member can sign in; undefined until they are loaded. */
  ways: SignInWays | undefined
  onChangeRole: (role: StaffRole) => void
  onOpen: (dialog: 'rename' | 'switch off' | 'invite') => void
  onSwitchOn: () => void
  onClearPin: () => void
}

/** The row of a team member with a sign-in: name, role and state, and a menu 'More' with rarely used actions. */
export function AccountRow({ account, isDisabled, ways, ...on }: Props) {
  const { onChangeRole, onOpen, onSwitchOn, onClearPin } = on
  const { name, username, email, role, isActive } = account
  const isSelf = useStaffAccount().username === username
  return (
    <li className={isActive ? 'staff-row' : 'staff-row staff-off'}>
      <Initials name={name} look={isActive ? 'on' : 'off'} />
      <div className="staff-name">
        <b>
          {name} {isSelf && <span>(you)</span>}
        </b>
        <small>{email ?? `Username ${username}`}</small>
      </div>
      <div className="staff-role">
        {isActive ? (
          <select
            className="input"
            aria-label={`Role of ${name}`}
            value={role}
            disabled={isDisabled}
            onChange={({ target }) => onChangeRole(target.value as StaffRole)}
          >
            {Object.entries(roleNames).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        ) : (
          <span className="muted">{roleNames[role]}</span>
        )}
      </div>
      <div className="staff-marks">{ways && <SignInMark ways={ways} isActive={isActive} />}</div>
      <div className="staff-state">
        <Badge tone={isActive ? 'ok' : 'ring'}>{isActive ? 'active' : 'off'}</Badge>
      </div>
      <MoreMenu
        subject={name}
        actions={[
          { label: 'Rename…', run: () => onOpen('rename') },
          { label: 'New invitation…', run: () => onOpen('invite') },
          ...(ways?.hasPin ? [{ label: 'Clear PIN', run: onClearPin }] : []),
          isActive
            ? { label: 'Switch off…', run: () => onOpen('switch off'), isRed: true }
            : { label: 'Switch on', run: onSwitchOn },
        ]}
      />
    </li>
  )
}
