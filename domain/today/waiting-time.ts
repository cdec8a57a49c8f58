import { daysBetween, formatShortDate, shortDayName } from '#domain/calendar/calendar-date.ts'

const minuteMs = 60_000

/**
 * The time between now and a past or future instant, rounded down: '18 min', '19 h', and from two days on '3 days'.
 */
export function formatWaitingTime(since: Date, now: Date): string {
  const minutes = Math.floor(Math.abs(now.getTime() - since.getTime()) / minuteMs)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

/** A date relative to today: 'today', 'Thu' within the next six days, otherwise 'Nov 18'. */
export function nearDay(date: string, today: string): string {
  const away = Math.abs(daysBetween(today, date))
  if (away === 0) return 'today'
  return away < 7 ? shortDayName(date) : formatShortDate(date)
}
