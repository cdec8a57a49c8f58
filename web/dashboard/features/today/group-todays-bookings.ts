import type { DayBooking } from '#contracts/bookings/day.ts'
import type { TodayPage } from '#contracts/today.ts'
import { minuteOnDate } from '#domain/calendar/day-spans.ts'
import { shortTimes } from '#domain/text/span-text.ts'

/** Today's bookings, grouped for the list. */
export type TodaysBookings = {
  /** The summary of finished bookings: '11 AM – 12:15 PM: 2 done, 1 no-show'; undefined without finished bookings. */
  readonly over: string | undefined
  /** The unfinished bookings: `before` contains those that start before the current time, `after` the later ones. */
  readonly before: readonly DayBooking[]
  readonly after: readonly DayBooking[]
}

const isInactive = ({ state }: DayBooking) => state === 'cancelled' || state === 'not_confirmed'
const isOver = ({ state }: DayBooking) => state === 'completed' || state === 'no_show'

/**
 * Splits today's bookings into unfinished ones that start before or after the current time, and a summary of finished
 * ones.
 */
export function groupTodaysBookings({
  day,
  now,
  bookings,
}: Pick<TodayPage, 'day' | 'now' | 'bookings'>): TodaysBookings {
  const sorted = bookings
    .filter((booking) => !isInactive(booking))
    .toSorted((a, b) => a.starts_at.localeCompare(b.starts_at))
  const unfinished = sorted.filter((booking) => !isOver(booking))
  return {
    over: overText(day, sorted.filter(isOver)),
    before: unfinished.filter(({ starts_at }) => starts_at <= now),
    after: unfinished.filter(({ starts_at }) => starts_at > now),
  }
}

function overText(day: string, sorted: readonly DayBooking[]): string | undefined {
  if (sorted.length === 0) return undefined
  const missed = sorted.filter(({ state }) => state === 'no_show').length
  const done = sorted.length - missed
  const span = {
    startsAtMinute: Math.min(...sorted.map(({ starts_at }) => minuteOnDate(day, starts_at))),
    endsAtMinute: Math.max(...sorted.map(({ ends_at }) => minuteOnDate(day, ends_at))),
  }
  const counts = [
    done > 0 && `${done} done`,
    missed > 0 && `${missed} no-show${missed > 1 ? 's' : ''}`,
  ]
  return `${shortTimes(span)}: ${counts.filter(Boolean).join(', ')}`
}
