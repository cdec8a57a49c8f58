import type { DayBooking } from '#contracts/day.ts'
import type { EmailDelivery } from '#contracts/email-delivery.ts'
import type { EmailKind } from '#contracts/emails.ts'
import { useResendEmail } from '#web/lib/use-resend-email.ts'
import { BusyWords } from '#web/ui/button.tsx'
import { DeliveryState, NeedsCall } from '#web/ui/delivery-state.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { openStates } from './open-states.ts'
import { useTelling } from './use-telling.ts'

type Props = {
  booking: DayBooking
  /** The shop's clock, yyyy-MM-ddTHH:mm:ss. */
  now: string
  emails: readonly EmailDelivery[]
}

const words: Partial<Record<EmailKind, string>> = {
  confirmation_request: 'Request to confirm',
  booking_moved: 'New time',
  booking_cancelled: 'Cancellation',
}

/** What was written to the customer, latest first, and what became of it. */
export function AppointmentLetters({ booking, now, emails }: Props) {
  const resending = useResendEmail()
  const failed = emails.filter(({ status }) => status === 'failed').some(isMissed)
  const latestFirst = emails.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
  const untold = whatIsUntold(booking, now, latestFirst[0]?.kind)
  return (
    <section className="visit-part">
      <h3>
        <Icon name="mail" />
        E-mails
      </h3>
      {emails.length === 0 && <p>None yet.</p>}
      {latestFirst.map((email) => (
        <DeliveryState
          key={email.id}
          email={email}
          what={words[email.kind] ?? 'Confirmation'}
          whose={booking.customer_name}
          onResend={email.status === 'failed' && isMissed(email) ? resending.resend : undefined}
          isBusy={resending.busyId === email.id}
        />
      ))}
      {untold && <Tell bookingId={booking.id} about={untold} />}
      {failed && <NeedsCall phone={booking.customer_phone} />}
    </section>
  )
}

/** One that did not leave because it was true no longer is missed by nobody. */
const isMissed = ({ last_error }: EmailDelivery) =>
  !last_error?.startsWith('Not sent: the appointment')

/** What somebody with an address has not heard by letter: that they are booked, or are no more. */
function whatIsUntold(booking: DayBooking, now: string, lastHeard: EmailKind | undefined) {
  const { state, starts_at, customer_email } = booking
  if (customer_email === null || starts_at < now) return undefined
  const heardOfEnd = lastHeard === 'booking_cancelled'
  if (state === 'cancelled') return heardOfEnd ? undefined : 'cancelled'
  return openStates.has(state) && (heardOfEnd || !lastHeard) ? 'booked' : undefined
}

function Tell({ bookingId, about }: { bookingId: string; about: 'booked' | 'cancelled' }) {
  const telling = useTelling(bookingId)
  return (
    <button
      type="button"
      className="action"
      disabled={telling.isBusy}
      onClick={() => telling.tell(about)}
    >
      <BusyWords busy={telling.isBusy && 'Sending…'}>
        {about === 'booked' ? 'Send a confirmation' : 'Tell about the cancellation'}
      </BusyWords>
    </button>
  )
}
