import { findBookingRecord } from '#server/features/emails/confirmation-records.ts'
import { queueEmail } from '#server/features/emails/queue-email.ts'
import { rowsAs } from '#server/platform/database/columns.ts'
import { asServer } from '#server/platform/database/database.ts'
import { writeBookingConfirmation } from '#letters/booking-confirmation.ts'
import type { Acting } from './act-on-visit.ts'
import { findVisitUrl } from './find-visit-url.ts'

/** Why a booking stands or does not after the click: what `internal.confirm_held_booking` answers. */
export type ConfirmOutcome =
  | 'confirmed'
  | 'already_confirmed'
  | 'cancelled'
  | 'too_late'
  | 'too_many'
  | 'slot_taken'

/**
 * Confirms a held booking and writes its confirmation in one transaction. May be repeated: the booking
 * stands once, and its letter is written once.
 */
export function confirmVisit(
  { database, currentShop, publicUrl }: Acting,
  bookingId: string,
): Promise<ConfirmOutcome> {
  return database.transaction(asServer, async (query) => {
    const [row] = rowsAs<{ outcome: ConfirmOutcome }>(
      await query('select internal.confirm_held_booking($1) as outcome', [bookingId]),
    )
    if (!row) throw new Error('The database said nothing about a confirmation')
    if (row.outcome !== 'confirmed') return row.outcome
    const booking = await findBookingRecord(query, bookingId)
    const url = await findVisitUrl(query, bookingId, publicUrl)
    if (booking) await queueEmail(query, writeBookingConfirmation(currentShop(), booking, url))
    return row.outcome
  })
}
