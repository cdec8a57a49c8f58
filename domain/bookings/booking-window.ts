import { addDays } from '#domain/calendar/calendar-date.ts'
import { defaultCalendar, type ShopCalendar } from '#domain/calendar/shop-calendar.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'

/**
 * The first and the last bookable date of the shop: today, and the date `horizonDays` later (docs/product.md 9.3).
 */
export function bookingWindow(
  now: Date,
  { rules, timeZone }: ShopCalendar = defaultCalendar,
): { first: string; last: string } {
  const first = shopToday(now, timeZone)
  return { first, last: addDays(first, rules.horizonDays) }
}
