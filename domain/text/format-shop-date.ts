import { formatDate } from '#domain/calendar/calendar-date.ts'
import { shopClock } from '#domain/calendar/shop-time.ts'

/** The shop's date at an instant, which is given in seconds since 1970: 'November 20, 2026'. */
export function formatShopDate(seconds: number): string {
  return formatDate(shopClock(new Date(seconds * 1000)).date)
}
