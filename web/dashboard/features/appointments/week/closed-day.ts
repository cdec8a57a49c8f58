import type { OpeningWeek } from '#domain/calendar/opening-hours.ts'
import { addDays, weekdayOf } from '#domain/calendar/calendar-date.ts'
import type { SpecialHours } from '../bookings-api.ts'

/**
 * Returns the calendar's text for a date on which the shop is closed all day: 'Closed', or 'Closed:' with the reason of
 * the closure. Returns undefined if the shop is open for a part of the day.
 */
export function closedDayText(
  date: string,
  week: OpeningWeek,
  special: readonly SpecialHours[],
): string | undefined {
  const [midnight, nextMidnight] = [`${date}T00:00:00`, `${addDays(date, 1)}T00:00:00`]
  const ofDay = special.filter(
    ({ starts_at, ends_at }) => starts_at < nextMidnight && ends_at > midnight,
  )
  if (ofDay.some(({ is_open }) => is_open)) return undefined
  const closure = ofDay.find(
    ({ starts_at, ends_at }) => starts_at <= midnight && ends_at >= nextMidnight,
  )
  if (closure) return closure.reason ? `Closed: ${closure.reason}` : 'Closed'
  return week[weekdayOf(date)] ? undefined : 'Closed'
}
