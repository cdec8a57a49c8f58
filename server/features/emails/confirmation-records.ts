import { asServer, type Database } from '#server/platform/database.ts'
import type { BookingRecord } from '#supabase/functions/_shared/booking-confirmation.ts'
import type { QuoteRequestRecord } from '#supabase/functions/_shared/quote-confirmation.ts'

/** What send-confirmation-email may speak of: see ConfirmationDependencies in its handler. */
export function createConfirmationRecords(database: Database) {
  return {
    findFreshBookings: (customerEmail: string): Promise<BookingRecord[]> =>
      database.transaction(asServer, (query) =>
        query<BookingRecord>(
          `select booking.id, service.name as "serviceName", appointment_date as date,
             appointment_time as time, booking.duration_minutes as "durationMinutes",
             customer_name as "customerName", customer_email as "customerEmail",
             customer_phone as "customerPhone", notes, vehicle_year as "vehicleYear",
             vehicle_make as "vehicleMake", vehicle_model as "vehicleModel",
             vehicle_color as "vehicleColor", to_json(booking.created_at) #>> '{}' as "createdAt"
           from public.bookings booking join public.services service on service.id = booking.service_id
           where customer_email = $1 and status <> 'cancelled' and ${freshAndHuman('booking')}
           order by booking.created_at desc limit 20`,
          [customerEmail],
        ),
      ),
    findFreshQuoteRequests: (email: string): Promise<QuoteRequestRecord[]> =>
      database.transaction(asServer, (query) =>
        query<QuoteRequestRecord>(
          `select id, name, email, phone, vehicle_year as "vehicleYear", vehicle_make as "vehicleMake",
             vehicle_model as "vehicleModel", service_type as "serviceType", description
           from public.quote_requests request
           where email = $1 and ${freshAndHuman('request')}
           order by created_at desc limit 20`,
          [email],
        ),
      ),
    countRecentConfirmations: (email: string): Promise<number> =>
      database.transaction(asServer, async (query) => {
        const [row] = await query<{ count: number }>(
          `select count(*)::int as count from public.emails
           where lower(recipient_email) = lower($1) and created_at > now() - interval '1 hour'
             and kind in ('booking_confirmation', 'quote_confirmation')`,
          [email],
        )
        return row?.count ?? 0
      }),
  }
}

/** A form whose hidden field was filled in came from a robot: writing to its address would be spam. */
function freshAndHuman(table: 'booking' | 'request'): string {
  return `${table}.created_at > now() - interval '15 minutes'
    and not 'hidden_field_filled' = any (${table}.flagged_reasons)`
}
