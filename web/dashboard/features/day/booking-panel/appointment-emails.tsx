import type { DayBooking } from '#contracts/bookings/day.ts'
import type { EmailDelivery } from '#contracts/emails/email-delivery.ts'
import { emailNames } from '#web/dashboard/kit/emails/email-names.ts'
import { useResendEmail } from '#web/dashboard/kit/emails/use-resend-email.ts'
import { Button } from '#web/ui/button/button.tsx'
import { DeliveryState, NeedsPhoneCall } from '#web/dashboard/kit/emails/delivery-state.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { isEmailMissing, missingNotification } from './missing-email.ts'
import { useNotifyCustomer } from './use-notify-customer.ts'

type Props = {
  booking: DayBooking
  /** The current date and time in the shop's time zone, yyyy-MM-ddTHH:mm:ss. */
  now: string
  emails: readonly EmailDelivery[]
}

/** Lists the emails to the customer about a booking, latest first, with their delivery status. */
export function AppointmentEmails({ booking, now, emails }: Props) {
  const resending = useResendEmail()
  const latestFirst = emails.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
  // If the last notification is outdated, this section reports no missing email, because the section above already
  // offers to send a new notification (customer-notification.tsx).
  const missing = booking.needs_notification ? undefined : missingNotification(booking, now, emails)
  return (
    <section className="panel-part">
      <h3>
        <Icon name="mail" />
        Emails
      </h3>
      {emails.length === 0 && <p>No emails yet.</p>}
      {latestFirst.map((email) => (
        <DeliveryState
          key={email.id}
          email={email}
          what={emailNames[email.kind]}
          recipient={booking.customer_name}
          onResend={isEmailMissing(email) ? resending.resend : undefined}
          isBusy={resending.busyId === email.id}
        />
      ))}
      {missing && <NotifyButton bookingId={booking.id} about={missing} />}
      {emails.some(isEmailMissing) && <NeedsPhoneCall phone={booking.customer_phone} />}
    </section>
  )
}

function NotifyButton({ bookingId, about }: { bookingId: string; about: 'booked' | 'cancelled' }) {
  const notifying = useNotifyCustomer(bookingId)
  return (
    <Button compact busy={notifying.isBusy && 'Sending…'} onClick={() => notifying.notify(about)}>
      {about === 'booked' ? 'Send confirmation' : 'Email the cancellation'}
    </Button>
  )
}
