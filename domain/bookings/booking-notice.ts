import { defaultCalendar, type ShopCalendar } from '#domain/calendar/shop-calendar.ts'
import { shopInstant } from '#domain/calendar/shop-time.ts'

/**
 * Whether an appointment at a shop date and time is at least the minimum notice ahead; exactly the minimum is enough.
 * The notice is measured in elapsed minutes, which differ from the wall clock's over a daylight-saving change.
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
