import {
  dayNames,
  formatDayOfYear,
  formatShortDate,
  shortDayName,
  weekdayOf,
} from './calendar-date.ts'
import { formatTime } from './clock-time.ts'

/** A weekday and time, for a date within the next week: 'Tuesday, 1:00 PM'. */
export function formatShortDateTime(date: string, time: string): string {
  return `${dayNames[weekdayOf(date)]}, ${formatTime(time)}`
}

/** A short date and time, for narrow places: 'Tue, Nov 24, 1:00 PM'. */
export function formatNarrowDateTime(date: string, time: string): string {
  return `${shortDayName(date)}, ${formatShortDate(date)}, ${formatTime(time)}`
}

/**
 * A date without its year, and a time: 'Tuesday, November 24, 1:00 PM'. When the time is '', the text contains only the
 * date.
 */
export function formatDateTime(date: string, time: string): string {
  return `${formatDayOfYear(date)}${time && `, ${formatTime(time)}`}`
}
