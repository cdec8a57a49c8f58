import { roleNames } from '#contracts/staff-accounts.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Initials } from './initials.tsx'
import { MoreMenu } from './more-menu.tsx'
import type { Invitation } from './accounts-api.ts'

type Props = {
  invitation: Invitation
  isDisabled: boolean
  onSendAgain: () => void
  onTakeBack: () => void
}

/** The row of an invitation that the invited person has not accepted yet. */
export function InvitationRow({ invitation, isDisabled, onSendAgain, onTakeBack }: Props) {
  const { name, email, role, expiresAt, isOver } = invitation
  return (
    <li className="staff-row">
      <Initials name={name} look="invited" />
      <div className="staff-name">
        <b>{name}</b>
        <small>{email}</small>
      </div>
      <div className="staff-role">
        <span>{roleNames[role]}</span>
      </div>
      <div className="staff-marks">
        <span>
          <Icon name="mail" />
          Sent
        </span>
        <Button compact small level="quiet" disabled={isDisabled} onClick={onSendAgain}>
          Send again<span className="visually-hidden"> to {name}</span>
        </Button>
      </div>
      <div className="staff-state">
        <Badge tone={isOver ? 'warn' : 'info'}>{isOver ? 'expired' : 'invited'}</Badge>
        <small>
          {isOver ? 'since' : 'until'} {formatShortStamp(expiresAt)}
        </small>
      </div>
      <MoreMenu
        subject={`the invitation of ${name}`}
        actions={[{ label: 'Take back', run: onTakeBack, isRed: true }]}
      />
    </li>
  )
}
