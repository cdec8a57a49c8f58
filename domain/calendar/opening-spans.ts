import { addDays, weekdayOf } from './calendar-date.ts'
import { minuteOfTime } from './clock-time.ts'
import type { OpeningHours, Openings, Weekday } from './opening-hours.ts'

/** Opening hours by weekday; a weekday without an entry is closed. */
export type WeekHours = Readonly<Partial<Record<Weekday, OpeningHours>>>

/**
 * An exception to the weekly hours (docs/product.md 11.3): a closure, or special hours when `isOpen` is true. Both
 * ends are times of the shop's wall clock, 'yyyy-MM-ddTHH:mm'; `endsAt` is exclusive. With `bayId` null, the
 * exception applies to the whole shop.
 */
export type Closure = {
  readonly startsAt: string
  readonly endsAt: string
  readonly isOpen: boolean
  readonly bayId: string | null
}

/**
 * The hours in which a bay (or, with `bayId` null, the shop) is open on a date: the weekly hours plus special hours
 * minus closures, sorted, with adjacent spans joined. `internal.open_spans` in the database implements the same rule,
 * and a test compares the two functions.
 */
export function openSpans(
  date: string,
  { week, closures }: { week: WeekHours; closures: readonly Closure[] },
  bayId: string | null = null,
): OpeningHours[] {
  const relevant = closures.filter((closure) => closure.bayId === null || closure.bayId === bayId)
  const onDate = (isOpen: boolean) =>
    relevant
      .filter((closure) => closure.isOpen === isOpen)
      .flatMap((closure) => partOf(date, closure))
  const hours = week[weekdayOf(date)]
  const opened = join([...(hours ? [hours] : []), ...onDate(true)])
  return onDate(false).reduce(without, opened)
}

/** The open spans of each bay on a date. */
export function openingsOf(
  date: string,
  calendar: { week: WeekHours; closures: readonly Closure[] },
  bayIds: readonly string[],
): Openings {
  return bayIds.map((bayId) => openSpans(date, calendar, bayId))
}

const minutesOfDay = 24 * 60

/**
 * The part of a closure that is on a date, in minutes after midnight; an empty list when the closure is on other
 * dates only.
 */
function partOf(date: string, { startsAt, endsAt }: Closure): OpeningHours[] {
  const minuteOn = (dateTime: string) => {
    const [day = '', time = ''] = dateTime.split('T')
    if (day < date) return 0
    return day > date ? minutesOfDay : minuteOfTime(time)
  }
  if (startsAt >= `${addDays(date, 1)}T00:00`) return []
  const span = { opensAtMinute: minuteOn(startsAt), closesAtMinute: minuteOn(endsAt) }
  return span.opensAtMinute < span.closesAtMinute ? [span] : []
}

function join(spans: readonly OpeningHours[]): OpeningHours[] {
  const joined: OpeningHours[] = []
  for (const span of spans.toSorted((a, b) => a.opensAtMinute - b.opensAtMinute)) {
    const last = joined.at(-1)
    if (last && span.opensAtMinute <= last.closesAtMinute) {
      last.closesAtMinute = Math.max(last.closesAtMinute, span.closesAtMinute)
    } else joined.push({ ...span })
  }
  return joined
}

function without(spans: readonly OpeningHours[], closed: OpeningHours): OpeningHours[] {
  return spans
    .flatMap(({ opensAtMinute, closesAtMinute }) => [
      { opensAtMinute, closesAtMinute: Math.min(closesAtMinute, closed.opensAtMinute) },
      { opensAtMinute: Math.max(opensAtMinute, closed.closesAtMinute), closesAtMinute },
    ])
    .filter(({ opensAtMinute, closesAtMinute }) => opensAtMinute < closesAtMinute)
}
