import { tel } from '#web/lib/browser/tel.ts'
import { emailNotSetUp, useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { Icon } from '#web/ui/icon/icon.tsx'

type Props = {
  /** Null where only the phone is left. */
  email: string | null
  phone: string
  isTicked: boolean
  onTick: (isTicked: boolean) => void
}

/** Whether a change is told to the customer by e-mail; without an address it says whom to call. */
export function NotifyCheckbox({ email, phone, isTicked, onTick }: Props) {
  const canSendEmail = useCanSendEmail()
  if (email === null) {
    return (
      <p className="needs-call">
        <Icon name="phone" />
        <span>
          No email address. Please call <a href={tel(phone)}>{phone}</a>.
        </span>
      </p>
    )
  }
  return (
    <label className="checkbox">
      <input type="checkbox" checked={isTicked} onChange={({ target }) => onTick(target.checked)} />
      <span>
        Email the customer <small className="muted">{email}</small>
        {!canSendEmail && (
          <small className="muted notify-outbox">
            {emailNotSetUp} Call {phone}.
          </small>
        )}
      </span>
    </label>
  )
}
