import type { Shop } from '#domain/shop/shop.ts'
import { vehicleName } from '#domain/customers/vehicle.ts'
import { renderCalendarFile } from '#emails/bookings/calendar-file.ts'
import type { VisitPageData } from './read-visit-page.ts'

/** Renders a booking as a file for the customer's calendar; `visitUrl` is the page that offers the download. */
export function renderBookingCalendar(
  shop: Shop,
  booking: VisitPageData,
  visitUrl: string,
): string {
  const appointment = { ...booking, bookingId: booking.id, vehicle: vehicleName(booking) }
  return renderCalendarFile(shop, { ...appointment, visitUrl, writtenAt: new Date() })
}
