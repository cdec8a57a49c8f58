import { defaultBookingRules, type BookingRules } from '#domain/bookings/booking-rules.ts'
import { weekdayOf } from './calendar-date.ts'
import { openingHours, type Openings } from './opening-hours.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'

/** Everything that decides when an appointment may start, but the appointments that are there already. */
export type ShopCalendar = {
  /** A name of the IANA database. */
  readonly timeZone: string
  readonly rules: BookingRules
  /** Of a shop date 'yyyy-MM-dd'. */
  openingsOn(this: void, date: string): Openings
}

/** A fresh shop's: one bay, open in the hours of docs/product.md 9.2. */
export const defaultCalendar: ShopCalendar = {
  timeZone: 'America/Los_Angeles',
  rules: defaultBookingRules,
  openingsOn: (date) => [[openingHours[weekdayOf(date)]]],
}

/** As the public knows it: the week, but for its special days. */
export function calendarOf({ timeZone, rules, week, specialDays }: ShopFacts): ShopCalendar {
  const special = new Map(specialDays.map(({ date, openings }) => [date, openings]))
  const usual = (date: string) => [[week[weekdayOf(date)] ?? []].flat()]
  return { timeZone, rules, openingsOn: (date) => special.get(date) ?? usual(date) }
}
