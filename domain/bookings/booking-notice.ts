import { defaultCalendar, type ShopCalendar } from '#domain/calendar/shop-calendar.ts'
import { shopInstant } from '#domain/calendar/shop-time.ts'

/**
 * Whether an appointment at a shop date and time is still far enough ahead; exactly at the limit it is.
 * Real minutes count, not the wall clock's: over a daylight-saving change they differ.
 */
export function hasMinimumNotice(
  date: string,
  time: string,
  now: Date,
  { rules, timeZone }: ShopCalendar = defaultCalendar,
): boolean {
  const noticeMs = rules.noticeMinutes * 60_000
  return shopInstant(date, time, timeZone).getTime() >= now.getTime() + noticeMs
}
