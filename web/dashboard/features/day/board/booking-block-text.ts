import type { DayBooking } from '#contracts/bookings/day.ts'
import { formatMinute, minuteOfTime } from '#domain/calendar/clock-time.ts'
import type { MinuteSpan } from '#domain/calendar/day-spans.ts'
import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { vehicleName } from '#domain/customers/vehicle.ts'
import { type VehicleState, vehicleState } from '#domain/bookings/vehicle-state.ts'
import { formatDayOfYear, formatShortDate } from '#domain/calendar/calendar-date.ts'
import { stateLabel } from '#web/dashboard/kit/bookings/state-badge.tsx'

/**
 * Returns the note in the block of a booking: staff's internal note; without one, the arrival time of an arrived
 * vehicle; otherwise the customer's note in quotation marks.
 */
export function formatNote({
  vehicle_facts,
  state_changed_at,
  internal_note,
  notes,
}: DayBooking): string | undefined {
  if (internal_note) return internal_note
  if (vehicleState(vehicle_facts) === 'here')
    return `Arrived ${formatShopTime(new Date(state_changed_at))}`
  return notes ? `“${notes}”` : undefined
}

const appearances: Readonly<Record<VehicleState, string>> = {
  held: 'expected',
  expected: 'expected',
  here: 'arrived',
  in_work: 'in_work',
  waiting_on_parts: 'in_work',
  waiting_on_customer: 'in_work',
  ready: 'in_work',
  ready_and_paid: 'in_work',
  picked_up: 'completed',
  cancelled: 'cancelled',
  no_show: 'no_show',
  not_confirmed: 'not_confirmed',
}

/** The CSS class that gives the block of a booking the color of its vehicle's state (day.css, day-list.css). */
export const appearanceOf = ({ vehicle_facts }: DayBooking) =>
  `day-booking-${appearances[vehicleState(vehicle_facts)]}`

/** One booking in a line: '1:00 PM, Maria Delgado, 2019 Subaru Outback, Multipoint Inspection, Booked'. */
export function formatBooking(booking: DayBooking): string {
  return [
    timeOf(booking.starts_at),
    booking.customer_name,
    vehicleName(booking),
    booking.service_name,
    stateLabel(booking).label,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Formats the time of day: '2026-11-24T13:00:00' → '1:00 PM'. */
export function timeOf(dateTime: string): string {
  return formatMinute(minuteOf(dateTime))
}

/**
 * Start and end of a booking: '1:00 – 2:00 PM', '11:00 AM – 12:00 PM', or 'Nov 23, 4:00 PM – Nov 24, 10:00
 * AM' when the vehicle stays overnight.
 */
export function formatBookingTimes({
  starts_at,
  ends_at,
}: Pick<DayBooking, 'starts_at' | 'ends_at'>): string {
  const [from, to] = [timeOf(starts_at), timeOf(ends_at)]
  if (starts_at.slice(0, 10) !== ends_at.slice(0, 10)) {
    return `${formatShortDate(starts_at.slice(0, 10))}, ${from} – ${formatShortDate(ends_at.slice(0, 10))}, ${to}`
  }
  return fromTo(from, to)
}

/** Start and end of a time span within one date: '1:00 – 2:00 PM'. */
export function formatSpan({ startsAtMinute, endsAtMinute }: MinuteSpan): string {
  return fromTo(formatMinute(startsAtMinute), formatMinute(endsAtMinute % 1440))
}

const fromTo = (from: string, to: string) =>
  `${from.slice(-2) === to.slice(-2) ? from.slice(0, -3) : from} – ${to}`

function minuteOf(dateTime: string): number {
  return minuteOfTime(dateTime.slice(11))
}

/** A date as the title of a day: 'Tue, November 24'. */
export function shortDayTitle(date: string): string {
  return formatDayOfYear(date).replace(/^(\w{3})\w*/, '$1')
}
