import { formatDate } from '#domain/calendar/calendar-date.ts'
import { shopClock } from '#domain/calendar/shop-time.ts'

/** 'November 20, 2026': the shop's date at an instant in seconds since 1970. */
export function formatShopDate(seconds: number): string {
  return formatDate(shopClock(new Date(seconds * 1000)).date)
}
