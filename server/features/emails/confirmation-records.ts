import { type Database, type Query, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { BookingRecord } from '#emails/bookings/booking-confirmation.ts'
import type { QuoteRequestRecord } from '#emails/quotes/quote-confirmation.ts'
import type { FunctionCaller } from '#supabase/functions/_shared/function-caller.ts'

type Sender = FunctionCaller['sender']

/**
 * Excludes forms whose hidden field (honeypot) is filled in. A bot sent such a form, so an email to the address in
 * the form would be spam.
 */
const isRecentAndHuman = `created_at > now() - interval '15 minutes'
  and not 'hidden_field_filled' = any (flagged_reasons)`

const selectBookings = `
  select id, service_name as "serviceName", appointment_date as date,
    appointment_time as time, duration_minutes as "durationMinutes",
    customer_name as "customerName", coalesce(customer_email, '') as "customerEmail",
    vehicle_year as "vehicleYear", vehicle_make as "vehicleMake", vehicle_model as "vehicleModel",
    vehicle_color as "vehicleColor", customer_phone as "customerPhone",
    coalesce(notes, '') <> '' as "hasNotes",
    flagged_reasons as "flaggedReasons",
    to_json(held_until) #>> '{}' as "heldUntil", calendar_sequence as "calendarSequence"
  from public.bookings`

/**
 * Reads a booking with the fields that its confirmation contains. Returns undefined when the booking does not exist
 * or has no email address.
 */
export async function findBookingRecord(
  query: Query,
  bookingId: string,
): Promise<BookingRecord | undefined> {
  const [booking] = rowsAs<BookingRecord>(
    await query(`${selectBookings} where id = $1 and customer_email is not null`, [bookingId]),
  )
  return booking
}

/**
 * Creates the functions with which the Edge Function send-confirmation-email reads the database. The type
 * ConfirmationDependencies in its handler.ts describes these functions.
 */
export function createConfirmationRecords(database: Database) {
  return {
    findRecentBookings: (customerEmail: string, sender: Sender): Promise<BookingRecord[]> =>
      database.transaction(asServer, async (query) =>
        rowsAs<BookingRecord>(
          await query(
            `${selectBookings}
           where id in (select booking_id from public.forms_sent_by($2))
             and customer_email = $1 and status not in ('cancelled', 'not_confirmed')
             and ${isRecentAndHuman}
           order by created_at desc limit 20`,
            [customerEmail, sender],
          ),
        ),
      ),
    findRecentQuoteRequests: (email: string, sender: Sender): Promise<QuoteRequestRecord[]> =>
      database.transaction(asServer, (query) =>
        query(
          `select id, name, email, vehicle_year as "vehicleYear", vehicle_make as "vehicleMake",
             service_type as "serviceType", description, flagged_reasons as "flaggedReasons"
           from public.quote_requests request
           where id in (select quote_request_id from public.forms_sent_by($2))
             and email = $1 and ${isRecentAndHuman}
           order by created_at desc limit 20`,
          [email, sender],
        ),
      ),
  }
}
