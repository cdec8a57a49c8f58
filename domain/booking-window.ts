import { addDays } from './calendar-date.ts'
import { defaultCalendar, type ShopCalendar } from './shop-calendar.ts'
import { shopToday } from './shop-time.ts'

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
