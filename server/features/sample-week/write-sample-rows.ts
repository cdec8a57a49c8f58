import type { Shop } from '#domain/shop/shop.ts'
import { writeBookingConfirmation } from '#emails/bookings/booking-confirmation.ts'
import { toEmailRow } from '#emails/delivery/stored-email.ts'
import { writeQuoteConfirmation } from '#emails/quotes/quote-confirmation.ts'
import { writeQuoteReply } from '#emails/quotes/quote-reply.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import { type Query, rowsAs } from '@local/postgres'
import { sampleEstimates } from './sample-estimates.ts'
import { type SampleWeekShop, planQuotes, planTasks, planBookings } from './plan-sample-week.ts'

/**
 * Inserts the sample appointments, estimates, quote requests and tasks with their emails, in the transaction of
 * `query`.
 */
export async function writeSampleRows(
  query: Query,
  shop: Shop,
  fresh: SampleWeekShop,
): Promise<void> {
  const bookingIds = new Map<string, string>()
  for (const { key, row } of planBookings(fresh)) {
    if (await addSampleBooking(query, shop, row)) bookingIds.set(key, row.id)
  }
  for (const { booking, ...estimate } of sampleEstimates) {
    const bookingId = bookingIds.get(booking)
    if (bookingId) {
      await query('select internal.add_sample_estimate($1) as done', [{ ...estimate, bookingId }])
    }
  }
  for (const { row, reply } of planQuotes(fresh)) await writeQuote(query, shop, row, reply)
  for (const task of planTasks(fresh, bookingIds, 'admin')) {
    await query('select internal.add_sample_task($1) as done', [task])
  }
}

type BookingRow = ReturnType<typeof planBookings>[number]['row']
type QuoteRow = ReturnType<typeof planQuotes>[number]['row']

/** Inserts a sample booking; returns false if its day has no free time. */
async function addSampleBooking(query: Query, shop: Shop, booking: BookingRow): Promise<boolean> {
  const [placed] = rowsAs<{
    date: string
    time: string
    durationMinutes: number
    serviceName: string
  }>(
    await query(
      `select appointment_date as date, appointment_time as time, duration_minutes as "durationMinutes",
         service_name as "serviceName"
       from internal.add_sample_booking($1)`,
      [booking],
    ),
  )
  if (!placed) return false
  if (booking.email === null) return true
  const email = writeBookingConfirmation(shop, {
    ...placed,
    id: booking.id,
    customerName: booking.name,
    customerEmail: booking.email,
    vehicleYear: booking.year,
    vehicleMake: booking.make,
    vehicleModel: booking.model,
    vehicleColor: null,
    customerPhone: booking.phone,
    hasNotes: false,
    flaggedReasons: [],
    heldUntil: null,
    calendarSequence: 0,
  })
  await storeInOutbox(query, await queueEmail(query, email), booking.createdAt)
  return true
}

async function writeQuote(
  query: Query,
  shop: Shop,
  quote: QuoteRow,
  reply: string | undefined,
): Promise<void> {
  await query('select internal.add_sample_quote($1) as done', [quote])
  const confirmation = writeQuoteConfirmation(shop, {
    ...quote,
    vehicleYear: quote.year,
    vehicleMake: quote.make,
    flaggedReasons: [],
  })
  await storeInOutbox(query, await queueEmail(query, confirmation), quote.createdAt)
  if (reply === undefined) return
  const subject = `Quote for ${quote.year} ${quote.make} ${quote.model}`
  const replyEmail = await writeQuoteReply(shop, quote, { subject, body: reply })
  const id = await queueReply(query, replyEmail, quote, reply)
  await storeInOutbox(
    query,
    id,
    new Date(Date.parse(quote.createdAt) + repliedAfterMs).toISOString(),
  )
}

const repliedAfterMs = 5 * 3_600_000

async function queueReply(query: Query, email: ShopEmail, quote: QuoteRow, body: string) {
  const log = {
    recipient_name: quote.name,
    subject: email.subject,
    original_draft: body,
    polished_draft: null,
    final_body: body,
    vehicle_info: `${quote.year} ${quote.make} ${quote.model}`,
  }
  const [queued] = rowsAs<{ id: string }>(
    await query('select public.queue_quote_reply($1, $2) as id', [toEmailRow(email), log]),
  )
  if (!queued) throw new Error('The database returned no id of a sample reply')
  return queued.id
}

/**
 * Gives a queued sample email the status 'in_outbox': `claim_email` sets this status for every sample email, so that
 * the mailer never sends one. Then sets the creation and delivery times to `writtenAt`, which is in the past.
 */
async function storeInOutbox(query: Query, id: string, writtenAt: string): Promise<void> {
  await query('select id from public.claim_email($1)', [id])
  await query(
    'update public.emails set created_at = $2::timestamptz, sent_at = $2::timestamptz where id = $1',
    [id, writtenAt],
  )
}
