import type { OpeningHours } from './opening-hours.ts'
import type { ShopFacts, SpecialDay } from '#domain/shop/shop.ts'
import { formatSpecialHours, regularHours } from './special-days.ts'

/** A run of consecutive special days with the same hours and the same reason. */
export type SpecialHours = {
  readonly first: string
  readonly last: string
  readonly hours: readonly OpeningHours[]
  readonly reason: string | null
}

const dayMs = 86_400_000

/** Groups special days into runs with the same hours and reason. The days must be sorted by date. */
export function groupSpecialHours(days: readonly SpecialDay[]): SpecialHours[] {
  const periods: (SpecialHours & { last: string })[] = []
  for (const { date, hours, reason } of days) {
    const period = periods.at(-1)
    const isNext = period && Date.parse(period.last) + dayMs === Date.parse(date)
    if (
      isNext &&
      period.reason === reason &&
      formatSpecialHours(period.hours) === formatSpecialHours(hours)
    ) {
      period.last = date
    } else periods.push({ first: date, last: date, hours, reason })
  }
  return periods
}

let dayFormat: Intl.DateTimeFormat | undefined

/**
 * A date as 'Thursday, November 26'. The function creates the formatter on first use, because a browser needs some 30
 * ms for its first formatter.
 */
function formatDay(date: string): string {
  // The formatter uses UTC, because `new Date('yyyy-MM-dd')` is midnight UTC.
  dayFormat ??= new Intl.DateTimeFormat('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  })
  return dayFormat.format(new Date(date))
}

/**
 * The text of a run of special days: 'Closed Thursday, November 26: Thanksgiving Day', 'Open Sunday, December 20:
 * 9:00 AM – 1:00 PM'.
 */
export function formatSpecialPeriod({ first, last, hours, reason }: SpecialHours): string {
  const days = [...new Set([first, last])].map(formatDay)
  const text = [hours.length > 0 ? 'Open' : 'Closed', days.join(' – ')].join(' ')
  const more = hours.length > 0 ? formatSpecialHours(hours) : reason
  return more ? `${text}: ${more}` : text
}

/**
 * The special hours that pages announce to visitors: from `today` on, the next closure and the next run of days whose
 * hours differ from the weekly hours.
 */
export function upcomingSpecialHours(
  shop: Pick<ShopFacts, 'week' | 'specialDays'>,
  today: string,
): SpecialHours[] {
  const differing = shop.specialDays.filter(
    ({ date, hours }) =>
      date >= today &&
      (hours.length === 0 ||
        formatSpecialHours(hours) !== formatSpecialHours(regularHours(date, shop))),
  )
  const periods = groupSpecialHours(differing)
  const closed = periods.find(({ hours }) => hours.length === 0)
  const different = periods.find(({ hours }) => hours.length > 0)
  return [closed, different]
    .filter((period) => period !== undefined)
    .toSorted((a, b) => a.first.localeCompare(b.first))
}
