import { dayNames, formatDate, partsOfDate, weekdayOf } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'

/** The date with its short month: '2026-10-03' → 'Oct 3'. */
export function formatShortDate(date: string): string {
  return `${formatDate(date).slice(0, 3)} ${partsOfDate(date).day}`
}

/** Weekday and time, for dates near today: 'Tuesday, 1:00 PM'. */
export function formatShortDateTime(date: string, time: string): string {
  return `${dayNames[weekdayOf(date)]}, ${formatTime(time)}`
}

/** Date and time with the weekday: 'Tuesday, November 24, 1:00 PM'. */
export function formatDateTime(date: string, time: string): string {
  const [monthAndDay] = formatDate(date).split(',')
  return `${dayNames[weekdayOf(date)]}, ${monthAndDay}${time && `, ${formatTime(time)}`}`
}
