import { addDays } from './calendar-date.ts'
import { shopToday } from './shop-time.ts'

/** How many days ahead of today the last bookable day is (docs/product.md 9.3). */
export const bookingWindowDays = 30

/** First and last day that can be booked, both included: today and 30 days ahead, at the shop. */
export function bookingWindow(now: Date): { first: string; last: string } {
  const first = shopToday(now)
  return { first, last: addDays(first, bookingWindowDays) }
}
