import { shopClock } from '#domain/calendar/shop-time.ts'
import { accepted, refused, type Result } from '#domain/result.ts'

/**
 * The reason why `parseShopMoment` refuses a typed time. For an ambiguous time, `moments` are the two moments
 * (milliseconds since 1970) at which the shop's clock shows that time.
 */
export type MomentRefusal =
  | { readonly code: 'INVALID' | 'SKIPPED' }
  | { readonly code: 'AMBIGUOUS'; readonly moments: readonly [first: number, second: number] }

const dayMs = 86_400_000
const pattern =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2}(?:\.\d{1,3})?))? ?(Z|[+-]\d{2}:\d{2})?$/

/**
 * Converts a time that the owner typed to milliseconds since 1970. The format is 'YYYY-MM-DD HH:MM[:SS[.mmm]]' in shop
 * time, or with a UTC offset: '2026-11-01 01:30:00 -07:00'. Without an offset, refuses a time that the shop's clock
 * skips in spring or shows twice in autumn.
 */
export function parseShopMoment(text: string, timeZone: string): Result<number, MomentRefusal> {
  const [, date, minutes, seconds = '00', offset] = pattern.exec(text.trim()) ?? []
  const reading =
    date && minutes ? Date.parse(`${date}T${minutes}:${seconds}${offset ?? 'Z'}`) : NaN
  if (Number.isNaN(reading) || !isDate(date)) return refused({ code: 'INVALID' })
  if (offset !== undefined) return accepted(reading)
  // No time zone changes its offset twice within two days. So the time has the offset of the day before or of the day
  // after.
  const offsets = new Set([
    offsetMs(reading - dayMs, timeZone),
    offsetMs(reading + dayMs, timeZone),
  ])
  const [first, second] = [...offsets]
    .filter((candidate) => offsetMs(reading - candidate, timeZone) === candidate)
    .map((candidate) => reading - candidate)
    .toSorted((one, other) => one - other)
  if (first === undefined) return refused({ code: 'SKIPPED' })
  if (second === undefined) return accepted(first)
  return refused({ code: 'AMBIGUOUS', moments: [first, second] })
}

/** `Date.parse` accepts February 30 and returns March 2, so this function compares the result with the text. */
const isDate = (date = '') => new Date(`${date}T00:00:00Z`).toISOString().startsWith(date)

/**
 * A moment as text in shop time with its offset, in the format of `parseShopMoment`: '2026-11-24 12:38:00 -08:00'. With
 * `isExact`, the text contains the milliseconds unless they are 0.
 */
export function formatShopMoment(ms: number, timeZone: string, isExact = false): string {
  const { date, time } = shopClock(new Date(ms), timeZone)
  const minutes = Math.round(offsetMs(ms, timeZone) / 60_000)
  const digits = (value: number) => String(value).padStart(2, '0')
  const sign = minutes < 0 ? '-' : '+'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const milliseconds = ms % 1000
  const fraction = isExact && milliseconds > 0 ? `.${String(milliseconds).padStart(3, '0')}` : ''
  return `${date} ${time}${fraction} ${sign}${digits(hours)}:${digits(rest)}`
}

/** The offset of the shop's clock from UTC at a moment, in milliseconds. */
function offsetMs(ms: number, timeZone: string): number {
  const wholeSeconds = Math.floor(ms / 1000) * 1000
  const { date, time } = shopClock(new Date(wholeSeconds), timeZone)
  return Date.parse(`${date}T${time}Z`) - wholeSeconds
}
