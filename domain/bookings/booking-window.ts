import { addDays } from '#domain/calendar/calendar-date.ts'
import { defaultCalendar, type ShopCalendar } from '#domain/calendar/shop-calendar.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'

/**
 * First and last day that can be booked, both included, at the shop: today and as many days ahead as the rules say
 * (docs/product.md 9.3).
 */
export function bookingWindow(
  now: Date,
  { rules, timeZone }: ShopCalendar = defaultCalendar,
): { first: string; last: string } {
  const first = shopToday(now, timeZone)
  return { first, last: addDays(first, rules.horizonDays) }
}
