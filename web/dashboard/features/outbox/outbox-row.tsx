import type { OutboxEmail } from '#contracts/emails/emails.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { emlUrl } from '#web/dashboard/kit/emails/emails.ts'
import { mailto } from '#web/lib/browser/mailto.ts'
import type { ResendEmail } from '#web/dashboard/kit/emails/use-resend-email.ts'
import { DeliveryBadge } from '#web/dashboard/kit/emails/delivery-state.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button, buttonClass } from '#web/ui/button/button.tsx'

type Props = {
  email: OutboxEmail
  resending: ResendEmail
  onRead: (email: OutboxEmail) => void
}

/** One email with its delivery state, recipient, subject and date. */
export function OutboxRow({ email, resending, onRead }: Props) {
  const isBusy = resending.busyId === email.id
  const emailLabel = (
    <span className="visually-hidden">
      : {email.subject}, to {email.to.name || email.to.email}
    </span>
  )
  return (
    <li>
      <div className="outbox-state">
        <DeliveryBadge status={email.status} />
        <time className="outbox-detail" dateTime={email.createdAt}>
          {formatStamp(email.createdAt)}
        </time>
      </div>
      <div className="outbox-message">
        <p>
          <b>{email.subject}</b>
        </p>
        <p className="outbox-detail">
          {email.to.name && `${email.to.name}, `}
          <a className="touch-link" href={mailto(email.to.email)}>
            {email.to.email}
          </a>
        </p>
        <DeliveryProblem email={email} />
      </div>
      <div className="button-group">
        <Button compact onClick={() => onRead(email)}>
          <Icon name="mail" />
          View{emailLabel}
        </Button>
        <a className={buttonClass('secondary', { compact: true })} href={emlUrl(email.id)} download>
          .eml<span className="visually-hidden"> file</span>
          {emailLabel}
        </a>
        <Button compact level="quiet" disabled={isBusy} onClick={() => resending.resend(email.id)}>
          <Icon name="refresh" />
          {isBusy ? 'Sending...' : 'Resend'}
          {emailLabel}
        </Button>
      </div>
    </li>
  )
}

/** States why the email was not sent, and when the server tries again. */
function DeliveryProblem({
  email: { status, lastError, attempts, nextAttemptAt },
}: {
  email: OutboxEmail
}) {
  if (status !== 'failed' && status !== 'retrying') return null
  return (
    <p className="outbox-detail outbox-trouble">
      {lastError && <span>{lastError}</span>}
      {status === 'retrying' && nextAttemptAt && (
        <span>
          {attempts} {attempts === 1 ? 'try' : 'tries'} so far, next: {formatStamp(nextAttemptAt)}
        </span>
      )}
    </p>
  )
}
