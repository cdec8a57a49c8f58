import { formatMinute } from './clock-time.ts'

/** A weekday: 0 is Sunday, 6 is Saturday, as in `Date.getDay()` (docs/product.md 3.9). */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6

/** One open span of a day in minutes after the shop's midnight. */
export type OpeningHours = { opensAtMinute: number; closesAtMinute: number }

/**
 * The open spans of each bay on one day; a closed bay has an empty list. One entry can stand for several bays with the
 * same hours.
 */
export type Openings = readonly (readonly OpeningHours[])[]

const long: OpeningHours = { opensAtMinute: 8 * 60 + 30, closesAtMinute: 21 * 60 }
const short: OpeningHours = { opensAtMinute: 11 * 60, closesAtMinute: 19 * 60 }

/** The opening hours of each weekday; null on a weekday on which the shop is closed. */
export type OpeningWeek = Readonly<Record<Weekday, OpeningHours | null>>

/**
 * The opening hours of a newly installed shop (docs/product.md 9.2): long (8:30 AM to 9 PM) on Sun, Thu, Fri and Sat,
 * short (11 AM to 7 PM) on Mon, Tue and Wed.
 */
export const openingHours: Readonly<Record<Weekday, OpeningHours>> = {
  0: long,
  1: short,
  2: short,
  3: short,
  4: long,
  5: long,
  6: long,
}

const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const mondayFirst: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 0]

/** Opening hours as text: '11:00 AM – 7:00 PM'. */
export function formatHours({ opensAtMinute, closesAtMinute }: OpeningHours): string {
  return `${formatMinute(opensAtMinute)} – ${formatMinute(closesAtMinute)}`
}

/** Consecutive weekdays with the same hours; `hours` is null when the shop is closed on these weekdays. */
export type HoursGroup = { days: Weekday[]; hours: OpeningHours | null; text: string }

/**
 * The week from Monday to Sunday, grouped by equal hours; `text` is 'Mon–Wed: 11:00 AM – 7:00 PM' or 'Sun: Closed'.
 */
export function groupOpeningHours(week: OpeningWeek): HoursGroup[] {
  const runs: { days: Weekday[]; hours: OpeningHours | null; text: string }[] = []
  for (const day of mondayFirst) {
    const hours = week[day]
    const text = hours ? formatHours(hours) : 'Closed'
    const run = runs.at(-1)
    if (run?.text === text) run.days.push(day)
    else runs.push({ days: [day], hours, text })
  }
  return runs.map(({ days, hours, text }) => ({ days, hours, text: `${nameOf(days)}: ${text}` }))
}

function nameOf(days: Weekday[]): string {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return ''
  return first === last ? dayNames[first] : `${dayNames[first]}–${dayNames[last]}`
}
