import { useSyncExternalStore } from 'react'
import type { Booking } from '#contracts/bookings/bookings.ts'
import { latestEmail } from '#contracts/emails/email-delivery.ts'
import { shopInstant } from '#domain/calendar/shop-time.ts'
import { useResendEmail } from '#web/dashboard/kit/emails/use-resend-email.ts'
import { DeliveryState, NeedsPhoneCall } from '#web/dashboard/kit/emails/delivery-state.tsx'
import { isCompleted, isInactive } from './booking-text.ts'

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

const recheckMs = 30_000

/** Whether a time is in the past; false for null. The hook compares the time with the clock every 30 seconds. */
function useHasPassed(instant: Date | null): boolean {
  return useSyncExternalStore(
    everyHalfMinute,
    () => instant !== null && instant.getTime() <= Date.now(),
  )
}

function everyHalfMinute(listener: () => void): () => void {
  const timer = setInterval(listener, recheckMs)
  return () => clearInterval(timer)
}
