import { formatDate, partsOfDate } from './calendar-date.ts'
import { formatTime, secondOfTime } from './clock-time.ts'
import { shopTimeZone } from './shop-time-zone.ts'

/*
 * The shop is a physical place: dates and times of the product are its wall clock, whatever the zone of
 * the server or the visitor. Dates are 'yyyy-MM-dd', times 'HH:mm:ss'; an instant is a Date.
 */

/** What the shop's wall clock reads: date, time 'HH:mm:ss', and the time as whole minutes after midnight. */
export type ShopClock = { date: string; time: string; minute: number }

/** A formatter takes long to make; a shop has one zone at a time. */
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

/** What people call the shop's zone: 'Pacific'. */
export function shopZoneName(timeZone: string = shopTimeZone()): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' })
  const name = format.formatToParts(0).find(({ type }) => type === 'timeZoneName')?.value
  return (name ?? timeZone).replace(/ Time$/, '')
}

/** The shop's wall clock at an instant, by the IANA name of its zone. */
export function shopClock(instant: Date, timeZone: string = shopTimeZone()): ShopClock {
  const part: Record<string, string> = {}
  for (const { type, value } of wallClockOf(timeZone).formatToParts(instant)) part[type] = value
  return {
    date: `${part['year']?.padStart(4, '0')}-${part['month']}-${part['day']}`,
    time: `${part['hour']}:${part['minute']}:${part['second']}`,
    minute: Number(part['hour']) * 60 + Number(part['minute']),
  }
}

/** Today at the shop; it flips at the shop's midnight. */
export function shopToday(now: Date, timeZone?: string): string {
  return shopClock(now, timeZone).date
}

/** The wall clock's reading as if it were UTC. */
function readingMs(date: string, time: string): number {
  const { year, month, day } = partsOfDate(date)
  const reading = new Date(0)
  reading.setUTCFullYear(year, month - 1, day)
  return reading.getTime() + secondOfTime(time) * 1000
}

/** How far the shop's clock is ahead of UTC at an instant, in milliseconds (negative in California). */
function offsetMs(instantMs: number, timeZone?: string): number {
  const wholeSeconds = Math.floor(instantMs / 1000) * 1000
  const { date, time } = shopClock(new Date(wholeSeconds), timeZone)
  return readingMs(date, time) - wholeSeconds
}

/**
 * The instant of a shop date and time ('HH:mm' or 'HH:mm:ss'). The offset is that date's, not today's. A
 * time that the spring change skips, or that the autumn change repeats, counts as standard time: 02:30
 * skipped is an hour later by daylight time, 01:30 repeated is the second one. PostgreSQL's
 * `at time zone` decides the same, so the page and the database agree.
 */
export function shopInstant(date: string, time: string, timeZone?: string): Date {
  const reading = readingMs(date, time)
  const dayMs = 86_400_000
  // No zone changes twice within two days; the smaller offset of the two is standard time.
  const offsets = [offsetMs(reading - dayMs, timeZone), offsetMs(reading + dayMs, timeZone)]
  const standard = Math.min(...offsets)
  const daylight = Math.max(...offsets)
  const asStandard = reading - standard
  if (offsetMs(asStandard, timeZone) === standard) return new Date(asStandard)
  const asDaylight = reading - daylight
  return new Date(offsetMs(asDaylight, timeZone) === daylight ? asDaylight : asStandard)
}

/** An instant in words, shop time: 'November 28, 2026 at 1:30 PM' (docs/product.md 9.5). */
export function formatInstant(instant: Date): string {
  const { date, time } = shopClock(instant)
  return `${formatDate(date)} at ${formatTime(time)}`
}

/** The time of day of an instant at the shop: '2:15 PM'. */
export function formatShopTime(instant: Date): string {
  return formatTime(shopClock(instant).time)
}

/** A timestamp of the data service in shop time, as lists show it: 'November 20, 2026, 9:14 AM'. */
export function formatStamp(timestamp: string): string {
  const { date, time } = shopClock(new Date(timestamp))
  return `${formatDate(date)}, ${formatTime(time)}`
}
