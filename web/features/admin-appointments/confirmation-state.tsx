import { useSyncExternalStore } from 'react'
import type { Booking } from '#contracts/bookings.ts'
import { latestEmail } from '#contracts/email-delivery.ts'
import { shopInstant } from '#domain/shop-time.ts'
import { useResendEmail } from '#web/lib/use-resend-email.ts'
import { DeliveryState, NeedsCall } from '#web/ui/delivery-state.tsx'
import { isCompleted } from './booking-words.ts'

/** What became of the confirmation. Once the appointment has begun it is only history. */
export function ConfirmationState({ booking, compact }: { booking: Booking; compact?: boolean }) {
  const resending = useResendEmail()
  const hasBegun = useHasPassed(shopInstant(booking.appointment_date, booking.appointment_time))
  const isAhead = !hasBegun && !isCompleted(booking) && booking.status !== 'cancelled'
  const email = latestEmail(booking.emails, 'booking_confirmation')
  if (!email) return null
  return (
    <>
      <DeliveryState
        email={email}
        what="Confirmation"
        whose={booking.customer_name}
        compact={compact ?? false}
        onResend={isAhead ? resending.resend : undefined}
        isBusy={resending.busyId === email.id}
      />
      {isAhead && email.status === 'failed' && <NeedsCall phone={booking.customer_phone} />}
    </>
  )
}

const LOOK_AGAIN_MS = 30_000

function useHasPassed(instant: Date): boolean {
  return useSyncExternalStore(everyHalfMinute, () => instant.getTime() <= Date.now())
}

function everyHalfMinute(listener: () => void): () => void {
  const timer = setInterval(listener, LOOK_AGAIN_MS)
  return () => clearInterval(timer)
}
