import type { Booking } from '#contracts/bookings/bookings.ts'
import { latestEmail } from '#contracts/emails/email-delivery.ts'
import { shopInstant } from '#domain/calendar/shop-time.ts'
import { useResendEmail } from '#web/dashboard/kit/emails/use-resend-email.ts'
import { DeliveryState, NeedsPhoneCall } from '#web/dashboard/kit/emails/delivery-state.tsx'
import { isCompleted, isInactive } from './booking-text.ts'
import { useHasPassed } from './use-has-passed.ts'

/**
 * The delivery state of the confirmation email. Once the appointment has begun, the email can no longer be
 * resent.
 */
export function ConfirmationState({ booking, compact }: { booking: Booking; compact?: boolean }) {
  const resending = useResendEmail()
  const hasBegun = useHasPassed(shopInstant(booking.appointment_date, booking.appointment_time))
  const isAhead = !hasBegun && !isCompleted(booking) && !isInactive(booking)
  const confirmation = latestEmail(booking.emails, 'booking_confirmation')
  const email = confirmation ?? latestEmail(booking.emails, 'confirmation_request')
  if (!email) return null
  return (
    <>
      <DeliveryState
        email={email}
        what={confirmation ? 'Confirmation' : 'Request to confirm'}
        recipient={booking.customer_name}
        compact={compact ?? false}
        onResend={isAhead ? resending.resend : undefined}
        isBusy={resending.busyId === email.id}
      />
      {isAhead && email.status === 'failed' && <NeedsPhoneCall phone={booking.customer_phone} />}
    </>
  )
}
