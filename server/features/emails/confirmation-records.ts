import { asServer, type Database } from '#server/platform/database.ts'
import type { BookingRecord } from '#supabase/functions/_shared/booking-confirmation.ts'
import type { QuoteRequestRecord } from '#supabase/functions/_shared/quote-confirmation.ts'
import type { FunctionCaller } from '#supabase/functions/_shared/shop-email.ts'

type Sender = FunctionCaller['sender']

/** What send-confirmation-email may speak of: see ConfirmationDependencies in its handler. */
export function createConfirmationRecords(database: Database) {
  return {
    findFreshBookings: (customerEmail: string, sender: Sender): Promise<BookingRecord[]> =>
      database.transaction(asServer, (query) =>
        query<BookingRecord>(
          `select booking.id, service.name as "serviceName", appointment_date as date,
             appointment_time as time, booking.duration_minutes as "durationMinutes",
             customer_name as "customerName", customer_email as "customerEmail",
             vehicle_year as "vehicleYear", vehicle_make as "vehicleMake",
             flagged_reasons as "flaggedReasons", to_json(booking.created_at) #>> '{}' as "createdAt"
           from public.bookings booking join public.services service on service.id = booking.service_id
           where booking.id in (select booking_id from public.forms_sent_by($2))
             and customer_email = $1 and status <> 'cancelled' and ${freshAndHuman('booking')}
           order by booking.created_at desc limit 20`,
          [customerEmail, sender],
        ),
      ),
    findFreshQuoteRequests: (email: string, sender: Sender): Promise<QuoteRequestRecord[]> =>
      database.transaction(asServer, (query) =>
        query<QuoteRequestRecord>(
          `select id, name, email, vehicle_year as "vehicleYear", vehicle_make as "vehicleMake",
             service_type as "serviceType", description, flagged_reasons as "flaggedReasons"
           from public.quote_requests request
           where id in (select quote_request_id from public.forms_sent_by($2))
             and email = $1 and ${freshAndHuman('request')}
           order by created_at desc limit 20`,
          [email, sender],
        ),
      ),
  }
}

/** A form whose hidden field was filled in came from a robot: writing to its address would be spam. */
function freshAndHuman(table: 'booking' | 'request'): string {
  return `${table}.created_at > now() - interval '15 minutes'
    and not 'hidden_field_filled' = any (${table}.flagged_reasons)`
}
