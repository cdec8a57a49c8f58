import type { Shop } from '#domain/shop/shop.ts'
import { writeBookingReminder } from '#emails/bookings/booking-reminder.ts'
import { findChangedBooking } from '#server/features/emails/change-emails.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** A run that would write more leaves the rest to the next one, a minute later. */
const mostAtOnce = 100

type Reminding = {
  readonly database: Database
  readonly shop: Shop
  /** Where visitors reach the site: letters lead there. */
  readonly publicUrl: string
}

/**
 * Writes the reminders that are due into the outbox, each once whoever else is at it. Returns how many appointments it
 * looked at.
 */
export function remindCustomers({ database, shop, publicUrl }: Reminding): Promise<number> {
  return database.transaction(asServer, async (query) => {
    const due = rowsAs<{ id: string; calendarSequence: number }>(
      await query(
        'select id, calendar_sequence as "calendarSequence" from internal.bookings_to_remind($1)',
        [mostAtOnce],
      ),
    )
    for (const { id, calendarSequence } of due) {
      const booking = await findChangedBooking(query, id, publicUrl)
      // Moved in this very moment: another time, for which it may be too early.
      if (booking?.calendarSequence !== calendarSequence) continue
      await queueEmail(query, writeBookingReminder(shop, booking))
    }
    return due.length
  })
}
