import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { FeedAppointment } from './render-feed.ts'

/**
 * The maximum number of bookings in the feed, far more than a shop usually has. Later bookings appear in the feed
 * when earlier ones are in the past.
 */
const most = 1_000

/**
 * Lists the upcoming bookings in order of date and time, without those that are cancelled, completed, missed or not
 * confirmed in time.
 */
export function listFeed(database: Database): Promise<FeedAppointment[]> {
  return database.transaction(asServer, async (query) =>
    rowsAs<FeedAppointment>(
      await query(
        `select booking.id, service_name as "serviceName", appointment_date as date, appointment_time as time,
           duration_minutes as "durationMinutes", customer_name as "customerName",
           customer_phone as "customerPhone", vehicle_year, vehicle_make, vehicle_model, vehicle_color,
           notes, internal_note as "internalNote", bay.name as "bayName", held_until is not null as "isHeld",
           calendar_sequence as sequence, to_json(internal.booking_last_changed_at(booking)) #>> '{}' as "changedAt"
         from public.bookings booking left join public.bays bay on bay.id = booking.bay_id
         where appointment_date >= internal.shop_now()::date and upper(occupied) > internal.shop_now()
           and completed_at is null and status not in ('cancelled', 'no_show', 'not_confirmed')
         order by appointment_date, appointment_time, booking.id
         limit $1`,
        [most],
      ),
    ),
  )
}
