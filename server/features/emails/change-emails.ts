import type { Shop } from '#domain/shop/shop.ts'
import {
  type ChangedBooking,
  writeBookingCancelled,
  writeBookingEdited,
  writeBookingMoved,
  writeBookingRestored,
} from '#emails/bookings/booking-change.ts'
import { writeBookingConfirmation } from '#emails/bookings/booking-confirmation.ts'
import type { Confirmation } from '#emails/layout/shop-email.ts'
import { findVisitPageUrl } from '#server/features/visit-page/find-visit-page-url.ts'
import { type Query, rowsAs } from '@local/postgres'

/** The booking changes about which the shop emails customers. */
type About = 'booked' | 'edited' | 'moved' | 'cancelled' | 'restored'

/** For each kind of booking change, the function that writes the email. */
export const changeEmails: Record<About, (shop: Shop, booking: ChangedBooking) => Confirmation> = {
  booked: (shop, booking) => writeBookingConfirmation(shop, booking, booking.visitUrl),
  edited: writeBookingEdited,
  moved: writeBookingMoved,
  cancelled: writeBookingCancelled,
  restored: writeBookingRestored,
}

type Found = ChangedBooking & {
  readonly isCancelled: boolean
  /** Whether the last email to the customer said that the appointment was cancelled. */
  readonly isNotifiedCancelled: boolean
  readonly isOver: boolean
  readonly hasConfirmedAttendance: boolean
}

/**
 * Reads a booking with the fields that emails about changes contain. `customerEmail` is empty when the booking has no
 * email address. Returns undefined when the booking does not exist.
 */
export async function findChangedBooking(
  query: Query,
  bookingId: string,
  publicUrl: string,
): Promise<Found | undefined> {
  const [found] = rowsAs<Omit<Found, 'visitUrl' | 'bookUrl'> & { isPaused: boolean }>(
    await query(
      `select id, service_name as "serviceName", appointment_date as date, appointment_time as time,
         duration_minutes as "durationMinutes", customer_name as "customerName",
         coalesce(customer_email, '') as "customerEmail", vehicle_year as "vehicleYear",
         vehicle_make as "vehicleMake", vehicle_model as "vehicleModel",
         vehicle_color as "vehicleColor", customer_phone as "customerPhone",
         coalesce(notes, '') <> '' as "hasNotes", flagged_reasons as "flaggedReasons",
         to_json(held_until) #>> '{}' as "heldUntil",
         calendar_sequence as "calendarSequence", version, status = 'cancelled' as "isCancelled",
         notified_cancelled as "isNotifiedCancelled",
         to_char(internal.previously_known_start(id), 'YYYY-MM-DD"T"HH24:MI:SS') as "notifiedStartsAt",
         status = 'cancelled' and (internal.read_visit_page(id) ->> 'canRestore')::boolean as "canRestore",
         internal.has_invoice(id) as "hasInvoice",
         (select online_booking_paused from public.booking_rules) as "isPaused",
         completed_at is not null or status in ('no_show', 'not_confirmed') as "isOver",
         attendance_confirmed_at is not null as "hasConfirmedAttendance"
       from public.bookings where id = $1`,
      [bookingId],
    ),
  )
  if (!found) return undefined
  const { isPaused, ...booking } = found
  const visitUrl = await findVisitPageUrl(query, bookingId, publicUrl)
  const bookUrl = isPaused ? undefined : new URL('/book-appointment', publicUrl).href
  return { ...booking, bookUrl, ...(visitUrl !== undefined && { visitUrl }) }
}
