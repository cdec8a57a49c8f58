import { findBookingRecord } from '#server/features/emails/confirmation-records.ts'
import { queueVisitorEmail } from '#server/features/emails/outbox/queue-visitor-email.ts'
import { rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { writeBookingConfirmation } from '#emails/bookings/booking-confirmation.ts'
import type { VisitActionContext } from './run-visit-action.ts'
import { findVisitPageUrl } from '../find-visit-page-url.ts'

type Confirmed = { readonly kind: 'done' }
/** The refusal that `internal.confirm_held_booking` returns. */
type NotConfirmed = {
  readonly kind: 'refused'
  readonly refusal: 'already_confirmed' | 'cancelled' | 'too_late' | 'too_many' | 'slot_taken'
}

/**
 * Confirms a held booking (one that the customer has not confirmed yet) and queues its confirmation email in one
 * transaction, within the limits on visitor-triggered emails. A repeated call changes nothing and queues no second
 * email.
 */
export function confirmHeldBooking(
  acting: VisitActionContext,
  bookingId: string,
): Promise<Confirmed | NotConfirmed> {
  const { database, currentShop, publicUrl } = acting
  return database.transaction(asServer, async (query) => {
    const [row] = rowsAs<{ outcome: 'confirmed' | NotConfirmed['refusal'] }>(
      await query('select internal.confirm_held_booking($1) as outcome', [bookingId]),
    )
    if (!row) throw new Error('internal.confirm_held_booking returned no row')
    if (row.outcome !== 'confirmed') return { kind: 'refused', refusal: row.outcome }
    const booking = await findBookingRecord(query, bookingId)
    const url = await findVisitPageUrl(query, bookingId, publicUrl)
    if (booking) {
      const email = writeBookingConfirmation(currentShop(), booking, url)
      // If a limit on visitor-triggered emails is reached, the booking is confirmed without an email.
      await queueVisitorEmail(query, email, acting)
    }
    return { kind: 'done' }
  })
}
