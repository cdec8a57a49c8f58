import { defaultCalendar, type ShopCalendar } from '#domain/calendar/shop-calendar.ts'
import { shopInstant } from '#domain/calendar/shop-time.ts'

/**
 * Returns whether the time from now to an appointment is at least the minimum notice; a time of exactly the minimum is
 * enough. The notice counts elapsed minutes. On a day with a daylight-saving change these differ from the minutes that
 * the wall clock shows.
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
