import type { Weekday } from './opening-hours.ts'

/* A calendar date has no time and no time zone. A date is a text 'yyyy-MM-dd' (docs/product.md 3.10); the texts sort in
   the order of the dates. The calculations use UTC, because every UTC day has 24 hours. */

const dayMs = 86_400_000
/** The names of the weekdays, indexed by `Weekday`: Sunday is 0. */
export const dayNames = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const
const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

type DateParts = { year: number; month: number; day: number }

/** '2026-11-28' → { year: 2026, month: 11, day: 28 }. Throws on a date that does not exist ('2026-02-29'). */
export function partsOfDate(date: string): DateParts {
  const parts = parse(date)
  if (!parts) throw new RangeError(`Not a calendar date: ${date}`)
  return parts
}

/** Returns whether a text is an existing date 'yyyy-MM-dd'. */
export function isCalendarDate(text: string): boolean {
  return parse(text) !== undefined
}

function parse(text: string): DateParts | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month))
    return undefined
  return { year, month, day }
}

function daysInMonth(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
}

/** The number of days from 1970-01-01 to the date. */
function dayNumber(date: string): number {
  const { year, month, day } = partsOfDate(date)
  const instant = new Date(0)
  instant.setUTCFullYear(year, month - 1, day)
  return instant.getTime() / dayMs
}

function dateOfDayNumber(days: number): string {
  return new Date(days * dayMs).toISOString().slice(0, 10)
}

/** The date that is `days` after `date`, or before it when `days` is negative. */
export function addDays(date: string, days: number): string {
  return dateOfDayNumber(dayNumber(date) + days)
}

/** The number of days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from)
}

/** The date that is `months` later, with the same day of the month; in a shorter month, its last day. */
export function addMonths(date: string, months: number): string {
  const { year, month, day } = partsOfDate(date)
  const count = year * 12 + (month - 1) + months
  const [newYear, newMonth] = [Math.floor(count / 12), (count % 12) + 1]
  const newDay = Math.min(day, daysInMonth(newYear, newMonth))
  return [
    String(newYear).padStart(4, '0'),
    ...[newMonth, newDay].map((part) => String(part).padStart(2, '0')),
  ].join('-')
}

/** The weekday of a date: 0 is Sunday, 6 is Saturday. */
export function weekdayOf(date: string): Weekday {
  // Adds 4, because 1970-01-01 (day 0) was a Thursday (weekday 4).
  return ((((dayNumber(date) + 4) % 7) + 7) % 7) as Weekday
}

/**
 * The Monday of the date's week. A week of the dashboard's calendar runs from Monday to Sunday (docs/product.md 9.6).
 */
export function mondayOf(date: string): string {
  return addDays(date, -((weekdayOf(date) + 6) % 7))
}

/**
 * The Sunday of the date's week. A week of the visitors' calendar runs from Sunday to Saturday (docs/product.md 9.6).
 */
export function sundayOf(date: string): string {
  return addDays(date, -weekdayOf(date))
}

/** The first day of the date's month: '2026-11-28' → '2026-11-01'. */
export function firstOfMonth(date: string): string {
  partsOfDate(date)
  return `${date.slice(0, 7)}-01`
}

/** A date as 'Saturday, November 28, 2026'. */
export function formatLongDate(date: string): string {
  return `${dayNames[weekdayOf(date)]}, ${formatDate(date)}`
}

/** A date as 'November 28, 2026'. */
export function formatDate(date: string): string {
  const { year, month, day } = partsOfDate(date)
  return `${monthNames[month - 1]} ${day}, ${year}`
}

/** A date as 'Nov 28, 2026'. */
export function formatMediumDate(date: string): string {
  return `${formatShortDate(date)}, ${partsOfDate(date).year}`
}

/** A date as 'Nov 28'. */
export function formatShortDate(date: string): string {
  const { month, day } = partsOfDate(date)
  return `${monthNames[month - 1]?.slice(0, 3)} ${day}`
}

/** A date as 'Thursday, November 26'. */
export function formatDayOfYear(date: string): string {
  const { month, day } = partsOfDate(date)
  return `${dayNames[weekdayOf(date)]}, ${monthNames[month - 1]} ${day}`
}

/** The month of a date as 'November 2026'. */
export function formatMonth(date: string): string {
  const { year, month } = partsOfDate(date)
  return `${monthNames[month - 1]} ${year}`
}

/** The weekday of a date as 'Sat'. */
export function shortDayName(date: string): string {
  return dayNames[weekdayOf(date)].slice(0, 3)
}
