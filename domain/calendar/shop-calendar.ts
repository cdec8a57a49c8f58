import { defaultBookingRules, type BookingRules } from '#domain/bookings/booking-rules.ts'
import { weekdayOf } from './calendar-date.ts'
import { openingHours, type Openings } from './opening-hours.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'

/** The shop's settings that determine when an appointment may start: time zone, booking rules and opening hours. */
export type ShopCalendar = {
  /** An IANA time zone name, such as 'America/Los_Angeles'. */
  readonly timeZone: string
  readonly rules: BookingRules
  /** Returns the hours in which each bay is open on a shop date 'yyyy-MM-dd'. */
  openingsOn(this: void, date: string): Openings
}

/** The calendar of a newly installed shop: one bay with the hours of docs/product.md 9.2. */
export const defaultCalendar: ShopCalendar = {
  timeZone: 'America/Los_Angeles',
  rules: defaultBookingRules,
  openingsOn: (date) => [[openingHours[weekdayOf(date)]]],
}

/**
 * Creates the calendar from the shop's public data. On a special day (with a closure or special hours), the hours of
 * that day replace the weekly hours.
 */
export function calendarOf({ timeZone, rules, week, specialDays }: ShopFacts): ShopCalendar {
  const special = new Map(specialDays.map(({ date, openings }) => [date, openings]))
  const usual = (date: string) => [[week[weekdayOf(date)] ?? []].flat()]
  return { timeZone, rules, openingsOn: (date) => special.get(date) ?? usual(date) }
}
