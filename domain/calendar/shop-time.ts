import { formatDate, formatMediumDate, formatShortDate, partsOfDate } from './calendar-date.ts'
import { formatTime, secondOfTime } from './clock-time.ts'
import { shopTimeZone } from './shop-time-zone.ts'

/*
 * All dates and times of the product are readings of the shop's wall clock, regardless of the time zone of the server
 * or the visitor. A date is 'yyyy-MM-dd', a time 'HH:mm:ss', an instant a `Date`.
 */

/** A reading of the shop's wall clock: date, time 'HH:mm:ss', and whole minutes after midnight. */
export type ShopClock = { date: string; time: string; minute: number }

/** Formatters, cached by time zone because creating one is slow. */
const wallClocks: Record<string, Intl.DateTimeFormat> = {}

function wallClockOf(timeZone: string): Intl.DateTimeFormat {
  return (wallClocks[timeZone] ??= new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }))
}

/** The common name of the shop's time zone: 'Pacific'. */
export function shopZoneName(timeZone: string = shopTimeZone()): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' })
  const name = format.formatToParts(0).find(({ type }) => type === 'timeZoneName')?.value
  return (name ?? timeZone).replace(/ Time$/, '')
}

/** The shop's wall clock at an instant; `timeZone` is an IANA name. */
export function shopClock(instant: Date, timeZone: string = shopTimeZone()): ShopClock {
  const part: Record<string, string> = {}
  for (const { type, value } of wallClockOf(timeZone).formatToParts(instant)) part[type] = value
  return {
    date: `${part['year']?.padStart(4, '0')}-${part['month']}-${part['day']}`,
    time: `${part['hour']}:${part['minute']}:${part['second']}`,
    minute: Number(part['hour']) * 60 + Number(part['minute']),
  }
}

/** Today's date at the shop, which changes at the shop's midnight. */
export function shopToday(now: Date, timeZone?: string): string {
  return shopClock(now, timeZone).date
}

/** A wall-clock reading in milliseconds since 1970, computed as if the reading were UTC. */
function readingMs(date: string, time: string): number {
  const { year, month, day } = partsOfDate(date)
  const reading = new Date(0)
  reading.setUTCFullYear(year, month - 1, day)
  return reading.getTime() + secondOfTime(time) * 1000
}

/** The offset of the shop's clock from UTC at an instant, in milliseconds (negative in California). */
function offsetMs(instantMs: number, timeZone?: string): number {
  const wholeSeconds = Math.floor(instantMs / 1000) * 1000
  const { date, time } = shopClock(new Date(wholeSeconds), timeZone)
  return readingMs(date, time) - wholeSeconds
}

/**
 * Converts a shop date and time ('HH:mm' or 'HH:mm:ss') to an instant. A time that the clock skips in spring or repeats
 * in autumn counts as standard time: a skipped 02:30 is the instant of 03:30 daylight time, a repeated 01:30 is the
 * later of its two instants. PostgreSQL's `at time zone` does the same, so the page and the database agree.
 */
export function shopInstant(date: string, time: string, timeZone?: string): Date {
  const reading = readingMs(date, time)
  const dayMs = 86_400_000
  // No time zone changes its offset twice within two days. So the time has the offset of the day before or of the day
  // after. Standard time has the smaller offset.
  const offsets = [offsetMs(reading - dayMs, timeZone), offsetMs(reading + dayMs, timeZone)]
  const standard = Math.min(...offsets)
  const daylight = Math.max(...offsets)
  const asStandard = reading - standard
  if (offsetMs(asStandard, timeZone) === standard) return new Date(asStandard)
  const asDaylight = reading - daylight
  return new Date(offsetMs(asDaylight, timeZone) === daylight ? asDaylight : asStandard)
}

/** An instant in shop time, as text: 'November 28, 2026 at 1:30 PM' (docs/product.md 9.5). */
export function formatInstant(instant: Date): string {
  const { date, time } = shopClock(instant)
  return `${formatDate(date)} at ${formatTime(time)}`
}

/** The time of day of an instant in shop time, as text: '2:15 PM'. */
export function formatShopTime(instant: Date): string {
  return formatTime(shopClock(instant).time)
}

/** A timestamp from the database in shop time, as lists show it: 'November 20, 2026, 9:14 AM'. */
export function formatStamp(timestamp: string): string {
  const { date, time } = shopClock(new Date(timestamp))
  return `${formatDate(date)}, ${formatTime(time)}`
}

/** A timestamp from the database in shop time, without the year: 'Nov 20, 9:14 AM'. */
export function formatShortStamp(timestamp: string): string {
  const { date, time } = shopClock(new Date(timestamp))
  return `${formatShortDate(date)}, ${formatTime(time)}`
}

/** The date of a timestamp from the database in shop time: 'Nov 20, 2026'. */
export function formatInstantDate(timestamp: string): string {
  return formatMediumDate(shopToday(new Date(timestamp)))
}
