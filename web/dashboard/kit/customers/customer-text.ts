import type { VehicleSummary, CustomerRecord, BookingSummary } from '#contracts/customers.ts'
import { formatMediumDate, formatMonth } from '#domain/calendar/calendar-date.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import { vehicleText } from '#domain/customers/vehicle.ts'
import { stateLabel } from '#web/dashboard/kit/bookings/state-badge.tsx'

/** An instant (ISO 8601) as a month in shop time: 'March 2024'. */
export const formatInstantMonth = (instant: string) => formatMonth(shopToday(new Date(instant)))

/** The year, make and model of a vehicle: '2019 Subaru Outback', or 'Not specified'. */
export function formatVehicle(vehicle: Pick<VehicleSummary, 'year' | 'make' | 'model'>): string {
  const { year, make, model } = vehicle
  return vehicleText({ vehicle_year: year, vehicle_make: make, vehicle_model: model })
}

/** An odometer reading in words: '71,506 mi'. */
export const formatMiles = (miles: number) => `${miles.toLocaleString('en-US')} mi`

/**
 * The color and the last odometer reading of a vehicle: 'Green, 71,506 mi on Oct 3, 2026'. Unknown parts are left out.
 */
export function formatVehicleDetail({ color, miles, milesOn }: VehicleSummary): string {
  const reading =
    miles !== null && milesOn && `${formatMiles(miles)} on ${formatMediumDate(milesOn)}`
  return [color, reading].filter(Boolean).join(', ')
}

/** A number with its noun: '1 appointment', '2 appointments'. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

/** Several numbers with their nouns: '2 vehicles, 8 appointments'. Zeros are left out. */
export function formatCounts(...counts: readonly (readonly [number, string, string?])[]): string {
  const nonZero = counts.filter(([count]) => count > 0)
  return nonZero.map(([count, one, many]) => formatCount(count, one, many)).join(', ')
}

/** The outcome of past appointments: 'came 3 times, 1 no-show', or '' without past appointments. */
export function pastText({ bookings, noShows }: CustomerRecord['totals']): string {
  const came = bookings > 0 && (bookings === 1 ? 'came once' : `came ${bookings} times`)
  return [came, noShows > 0 && formatCount(noShows, 'no-show')].filter(Boolean).join(', ')
}

/** The badge of a booking's state, the same as in the day view. */
export function bookingBadge({ vehicleFacts, willCome }: BookingSummary) {
  return stateLabel({ vehicle_facts: vehicleFacts, will_come: willCome })
}
