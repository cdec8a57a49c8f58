import type { DayBooking } from '#contracts/day.ts'
import type { EmailDelivery } from '#contracts/email-delivery.ts'
import type { EmailKind } from '#contracts/emails.ts'
import { useResendEmail } from '#web/lib/use-resend-email.ts'
import { DeliveryState, NeedsCall } from '#web/ui/delivery-state.tsx'
import { Icon } from '#web/ui/icon.tsx'

type Props = { booking: DayBooking; emails: readonly EmailDelivery[] }

const words: Partial<Record<EmailKind, string>> = {
  confirmation_request: 'Request to confirm',
  booking_moved: 'New time',
  booking_cancelled: 'Cancellation',
}

/** What was written to the customer, latest first, and what became of it. */
export function AppointmentLetters({ booking, emails }: Props) {
  const resending = useResendEmail()
  const hasFailed = emails.some(({ status }) => status === 'failed')
  return (
    <section className="visit-part">
      <h3>
        <Icon name="mail" />
        E-mails
      </h3>
      {emails.length === 0 && <p>None yet.</p>}
      {emails
        .toSorted((a, b) => b.created_at.localeCompare(a.created_at))
        .map((email) => (
          <DeliveryState
            key={email.id}
            email={email}
            what={words[email.kind] ?? 'Confirmation'}
            whose={booking.customer_name}
            onResend={email.status === 'failed' ? resending.resend : undefined}
            isBusy={resending.busyId === email.id}
          />
        ))}
      {hasFailed && <NeedsCall phone={booking.customer_phone} />}
    </section>
  )
}
