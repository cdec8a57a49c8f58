import { shopToday } from '#domain/calendar/shop-time.ts'
import type { Shop } from './fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

/** Inserts an appointment and bypasses the rules for visitors; returns its id. */
export async function addBooking(
  shop: Shop,
  booking: {
    time: string
    name: string
    date?: string
    service?: string
    phone?: string
    notes?: string
    completed?: boolean
    status?: string
    flagged?: readonly string[]
    /** The time until which the appointment waits for the customer's confirmation, in ISO 8601. */
    heldUntil?: string
  },
): Promise<string> {
  const { rows } = await shop.database.query<{ id: string }>(
    `insert into bookings (service_id, appointment_date, appointment_time, duration_minutes,
       customer_name, customer_email, customer_phone, notes,
       vehicle_year, vehicle_make, vehicle_model, vehicle_color, completed_at, completed_by,
       status, flagged_reasons, held_until)
     select id, $1, $2, duration_minutes, $3, $4, $5, $6, '2019', 'Subaru', 'Outback', 'Green',
       case when $7 then now() end, case when $7 then 'admin' end, $9, $10, $11
     from services where name = $8
     returning id`,
    [
      booking.date ?? shopToday(new Date()),
      booking.time,
      booking.name,
      `${booking.name.split(' ')[0]?.toLowerCase()}@customer.example`,
      booking.phone ?? '(650) 555-0167',
      booking.notes ?? null,
      booking.completed ?? false,
      booking.service ?? 'Oil Change',
      booking.status ?? 'confirmed',
      booking.flagged ?? [],
      booking.heldUntil ?? null,
    ],
  )
  return rows[0]?.id ?? ''
}

/** Deletes all appointments and tasks. */
export async function clearBookings(shop: Shop): Promise<void> {
  await shop.database.query(truncateTables('public.tasks', 'public.bookings'))
}

/** Inserts a quote request; returns its id. */
export async function addQuote(
  shop: Shop,
  quote: {
    name: string
    phone?: string | null
    service?: string | null
    description?: string
    status?: 'pending' | 'completed'
    flagged?: readonly string[]
    isSample?: boolean
    /** The creation time of the quote request in ISO 8601; by default the current time. */
    createdAt?: string
  },
): Promise<string> {
  const { rows } = await shop.database.query<{ id: string }>(
    `insert into quote_requests (name, email, phone, vehicle_year, vehicle_make, vehicle_model,
       service_type, description, status, flagged_reasons, created_at, is_sample)
     values ($1, $2, $3, '2015', 'Honda', 'Accord', $4, $5, $6, $7, coalesce($8, now()), $9)
     returning id`,
    [
      quote.name,
      `${quote.name.split(' ')[0]?.toLowerCase()}@customer.example`,
      quote.phone === undefined ? '(650) 555-0197' : quote.phone,
      quote.service === undefined ? 'transmission' : quote.service,
      quote.description ?? 'Hesitates between second and third.',
      quote.status ?? 'pending',
      quote.flagged ?? [],
      quote.createdAt ?? null,
      quote.isSample ?? false,
    ],
  )
  return rows[0]?.id ?? ''
}

/** Inserts an email into the outbox in the given delivery state; returns its id. */
export async function addEmail(
  shop: Shop,
  email: {
    kind: 'booking_confirmation' | 'estimate' | 'quote_confirmation' | 'quote_reply'
    status: 'queued' | 'retrying' | 'sent' | 'in_outbox' | 'failed'
    /** The appointment or the quote request that the email is about. */
    about: { bookingId: string } | { quoteId: string }
    error?: string
    attempts?: number
  },
): Promise<string> {
  const { rows } = await shop.database.query<{ id: string }>(
    `insert into emails (kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body,
       booking_id, quote_request_id, status, attempts, next_attempt_at, last_error, sent_at, appointment_at)
     values ($1, gen_random_uuid()::text,
       coalesce((select customer_email from bookings where id = $2), 'iris@customer.example'), 'Iris Kwan', 'About your car',
       '<p>About your car</p><script>parent.document.title = "owned"</script>', 'About your car',
       $2, $3, $4, $5, now() + interval '1 day', $6,
       case when $4 in ('sent', 'in_outbox') then now() - interval '1 hour' end,
       (select appointment_date + appointment_time from bookings where id = $2))
     returning id`,
    [
      email.kind,
      'bookingId' in email.about ? email.about.bookingId : null,
      'quoteId' in email.about ? email.about.quoteId : null,
      email.status,
      email.attempts ?? (email.status === 'queued' ? 0 : 1),
      email.error ?? null,
    ],
  )
  return rows[0]?.id ?? ''
}

/**
 * Deletes all quote requests and outbox messages, and the notices of earlier tests to the owner, which the server would
 * email within a minute.
 */
export async function clearQuotes(shop: Shop): Promise<void> {
  await shop.database.query(
    truncateTables('public.quote_requests', 'public.emails', 'internal.owner_notices'),
  )
}
