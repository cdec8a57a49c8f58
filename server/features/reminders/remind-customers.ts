import type { Shop } from '#domain/shop/shop.ts'
import { writeBookingReminder } from '#emails/bookings/booking-reminder.ts'
import { findChangedBooking } from '#server/features/emails/change-emails.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** The maximum number of reminders per run; the next run, a minute later, queues the rest. */
const mostAtOnce = 100

type Reminding = {
  readonly database: Database
  readonly shop: Shop
  /** The public URL of the site, for links in emails. */
  readonly publicUrl: string
}

/**
 * Queues one email for each due appointment reminder. The email is queued only once, even when several processes run
 * this job. Returns the number of bookings with a due reminder.
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
      // The booking was moved after the query listed it, and the reminder for its new time may not be due yet.
      if (booking?.calendarSequence !== calendarSequence) continue
      await queueEmail(query, writeBookingReminder(shop, booking))
    }
    return due.length
  })
}
