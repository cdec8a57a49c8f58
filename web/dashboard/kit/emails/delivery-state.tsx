import type { ReactNode } from 'react'
import type { EmailDelivery } from '#contracts/emails/email-delivery.ts'
import type { EmailStatus } from '#contracts/emails/emails.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { tel } from '#web/lib/browser/tel.ts'
import { Badge, type BadgeTone } from '#web/ui/badge/badge.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import './delivery-state.css'

const badges: Readonly<Record<EmailStatus, { tone: BadgeTone; label: string }>> = {
  queued: { tone: 'info', label: 'Queued' },
  retrying: { tone: 'warn', label: 'Retrying' },
  sent: { tone: 'ok', label: 'Sent' },
  in_outbox: { tone: 'ring', label: 'Kept in outbox' },
  failed: { tone: 'danger', label: 'Not delivered' },
}

export function DeliveryBadge({ status }: { status: EmailStatus }) {
  const { tone, label } = badges[status]
  return <Badge tone={tone}>{label}</Badge>
}

type Props = {
  email: Omit<EmailDelivery, 'kind'>
  /** The kind of the email in words: 'Confirmation', 'Reply', 'Invoice'. */
  what: string
  /** The recipient's name, for the accessible name of the button 'Resend'. */
  recipient: string
  /** Sends the email again. Without this function there is no 'Resend' button. */
  onResend?: ((emailId: string) => void) | undefined
  isBusy?: boolean
  /** Whether to show less detail, for narrow cards. 'Resend' then appears only for emails that were not sent. */
  compact?: boolean
}

/** The delivery state of an email, its time or failure reason, and the button 'Resend'. */
export function DeliveryState({ email, what, recipient, onResend, isBusy, compact }: Props) {
  const isOut = email.status === 'sent' || email.status === 'in_outbox'
  return (
    <div
      className={compact ? 'delivery-state delivery-compact' : 'delivery-state'}
      role="group"
      aria-label={what}
    >
      <Badge tone={badges[email.status].tone}>{badges[email.status].label}</Badge>
      <span className="delivery-text">
        <span>{what}</span>
        {!compact && <Detail email={email} />}
        {compact && !isOut && <Detail email={email} />}
      </span>
      {onResend && !(compact && isOut) && (
        <Button compact small level="quiet" disabled={isBusy} onClick={() => onResend(email.id)}>
          <Icon name="refresh" />
          {isBusy ? 'Sending...' : 'Resend'}
          <span className="visually-hidden">
            {' '}
            {what} to {recipient}
          </span>
        </Button>
      )}
    </div>
  )
}

function Detail({ email }: { email: Props['email'] }): ReactNode {
  switch (email.status) {
    case 'queued':
      return <span className="delivery-detail">will be sent within a minute</span>
    case 'sent':
    case 'in_outbox':
      return <Stamp at={email.sent_at ?? email.created_at} />
    case 'retrying':
      return (
        <>
          <span className="delivery-detail">
            {email.attempts} {email.attempts === 1 ? 'try' : 'tries'} so far, next:{' '}
            <Stamp at={email.next_attempt_at} />
          </span>
          <Reason of={email} />
        </>
      )
    case 'failed':
      return <Reason of={email} />
  }
}

function Stamp({ at }: { at: string }) {
  return (
    <time className="delivery-detail" dateTime={at}>
      {formatStamp(at)}
    </time>
  )
}

function Reason({ of: { last_error } }: { of: Props['email'] }) {
  return last_error ? <span className="delivery-detail">{last_error}</span> : null
}

/** The note beside an email that could not be delivered: staff must call the customer. */
export function NeedsPhoneCall({ phone }: { phone: string | null }) {
  return (
    <p className="needs-call">
      <Icon name="phone" />
      <b>Needs a call</b>
      {phone ? (
        <a className="touch-link" href={tel(phone)}>
          {phone}
        </a>
      ) : (
        <span>No phone number.</span>
      )}
    </p>
  )
}
