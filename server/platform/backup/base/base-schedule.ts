import { addDays } from '#domain/calendar/calendar-date.ts'
import { shopClock, shopInstant } from '#domain/calendar/shop-time.ts'

/** The time in the shop's time zone at which the daily base backup begins. */
const dailyAt = '03:00'

/**
 * Whether a daily job is due: the shop's clock has shown `timeOfDay` at least once since `lastMs`, the time of the last
 * run.
 */
export function isDailyDue(
  lastMs: number | undefined,
  nowMs: number,
  timeOfDay: string = dailyAt,
): boolean {
  const { date } = shopClock(new Date(nowMs))
  const today = shopInstant(date, timeOfDay).getTime()
  const latest = today <= nowMs ? today : shopInstant(addDays(date, -1), timeOfDay).getTime()
  return lastMs === undefined || lastMs < latest
}
