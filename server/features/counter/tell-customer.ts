import { accepted, refused, type Result } from '#domain/result.ts'
import type { Shop } from '#domain/shop.ts'
import { writeBookingCancelled, writeBookingMoved } from '#letters/booking-change.ts'
import { writeBookingConfirmation } from '#letters/booking-confirmation.ts'
import type { ChangedBooking } from '#letters/booking-change.ts'
import type { ShopEmail } from '#letters/shop-email.ts'
import { queueEmail } from '#server/features/emails/queue-email.ts'
import { rowsAs } from '#server/platform/database/columns.ts'
import { asServer, type Database } from '#server/platform/database/database.ts'
import type { Query } from '#server/platform/database/query.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'

/** How long an undo has before the letter leaves: the notification that offers it stays ten seconds. */
const undoSeconds = 12

type About = 'booked' | 'moved' | 'cancelled'

const writers: Record<About, (shop: Shop, booking: ChangedBooking) => ShopEmail> = {
  booked: writeBookingConfirmation,
  moved: writeBookingMoved,
  cancelled: writeBookingCancelled,
}

/** Writes the letter about an appointment's change into the outbox, once for each change; returns its id. */
export function tellCustomer(
  database: Database,
  shop: Shop,
  { bookingId, about }: { readonly bookingId: string; readonly about: About },
): Promise<Result<string, Refusal>> {
  return database.transaction(asServer, async (query) => {
    const booking = await findBooking(query, bookingId)
    if (!booking) return refused({ code: 'BOOKING_NOT_FOUND' })
    if (booking.customerEmail === '') return refused({ code: 'NO_EMAIL_ADDRESS' })
    if ((about === 'cancelled') !== booking.isCancelled || booking.isOver) {
      return refused({ code: 'BOOKING_CHANGED' })
    }
    return accepted(await queueEmail(query, writers[about](shop, booking), undoSeconds))
  })
}

type Found = ChangedBooking & { readonly isCancelled: boolean; readonly isOver: boolean }

async function findBooking(query: Query, bookingId: string): Promise<Found | undefined> {
  const [booking] = rowsAs<Found>(
    await query(
      `select id, service_name as "serviceName", appointment_date as date, appointment_time as time,
         duration_minutes as "durationMinutes", customer_name as "customerName",
         coalesce(customer_email, '') as "customerEmail", vehicle_year as "vehicleYear",
         vehicle_make as "vehicleMake", flagged_reasons as "flaggedReasons",
         to_json(created_at) #>> '{}' as "createdAt", to_json(held_until) #>> '{}' as "heldUntil",
         calendar_sequence as "calendarSequence", status = 'cancelled' as "isCancelled",
         completed_at is not null or status in ('no_show', 'not_confirmed') as "isOver"
       from public.bookings where id = $1`,
      [bookingId],
    ),
  )
  return booking
}
