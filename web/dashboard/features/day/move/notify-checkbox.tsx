import { tel } from '#web/lib/browser/tel.ts'
import { emailNotSetUp, useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { Icon } from '#web/ui/icon/icon.tsx'

type Props = {
  /** The customer's email address; null if the customer has none. */
  email: string | null
  phone: string
  isTicked: boolean
  onTick: (isTicked: boolean) => void
}

/**
 * A checkbox to notify the customer of a change by email. If the customer has no email address, a request to call the
 * customer appears instead.
 */
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
