import { defaultBookingRules, type BookingRules } from '#domain/bookings/booking-rules.ts'
import { weekdayOf } from './calendar-date.ts'
import { openingHours, type Openings } from './opening-hours.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'

/** Everything that decides when an appointment may start, except the existing appointments. */
export type ShopCalendar = {
  /** An IANA time zone name. */
  readonly timeZone: string
  readonly rules: BookingRules
  /** `date` is a shop date 'yyyy-MM-dd'. */
  openingsOn(this: void, date: string): Openings
}

/** The calendar of a newly installed shop: one bay with the hours of docs/product.md 9.2. */
export const defaultCalendar: ShopCalendar = {
  timeZone: 'America/Los_Angeles',
  rules: defaultBookingRules,
  openingsOn: (date) => [[openingHours[weekdayOf(date)]]],
}

/** The calendar from the public facts of a shop: the week's hours, replaced on special days. */
export function calendarOf({ timeZone, rules, week, specialDays }: ShopFacts): ShopCalendar {
  const special = new Map(specialDays.map(({ date, openings }) => [date, openings]))
  const usual = (date: string) => [[week[weekdayOf(date)] ?? []].flat()]
  return { timeZone, rules, openingsOn: (date) => special.get(date) ?? usual(date) }
}
