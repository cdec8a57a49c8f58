import type { Shop } from '#domain/shop.ts'
import { knownVehicle } from '#domain/vehicle-make.ts'
import { renderCalendarFile } from '#letters/calendar-file.ts'
import type { Visit } from './read-visit.ts'

/** The appointment as a file for the customer's own calendar. */
export function renderVisitCalendar(shop: Shop, visit: Visit): string {
  const { id: bookingId, vehicle_year, vehicle_make, ...rest } = visit
  const vehicle = knownVehicle(vehicle_year, vehicle_make)
  return renderCalendarFile(shop, { ...rest, bookingId, vehicle })
}
