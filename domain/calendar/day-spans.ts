import { minuteOfTime } from './clock-time.ts'
import type { OpeningHours } from './opening-hours.ts'

/** A period of a date, in minutes after midnight; `endsAtMinute` is the first minute after the period. */
export type MinuteSpan = { readonly startsAtMinute: number; readonly endsAtMinute: number }

const minutesOfDay = 24 * 60
const gridMinutes = 30
/** The day view shows free slots of at least this many minutes: hardly any service fits into a shorter slot. */
const shortestFreeMinutes = 30

/**
 * A time 'yyyy-MM-ddTHH:mm:ss' as a minute of `date`: 0 for a time on an earlier date, 1440 for a time on a later date.
 */
export function minuteOnDate(date: string, dateTime: string): number {
  const [startDate = '', time = ''] = dateTime.split('T')
  if (startDate < date) return 0
  return startDate > date ? minutesOfDay : minuteOfTime(time)
}

/**
 * The hours that the day view shows, rounded outward to half hours so that all opening hours and all vehicles are
 * visible; undefined when the day has neither.
 */
export function hoursShown(
  hours: readonly OpeningHours[],
  spans: readonly MinuteSpan[],
): OpeningHours | undefined {
  const starts = [
    ...hours.map(({ opensAtMinute }) => opensAtMinute),
    ...spans.map(({ startsAtMinute }) => startsAtMinute),
  ]
  const ends = [
    ...hours.map(({ closesAtMinute }) => closesAtMinute),
    ...spans.map(({ endsAtMinute }) => endsAtMinute),
  ]
  if (starts.length === 0) return undefined
  return {
    opensAtMinute: Math.floor(Math.min(...starts) / gridMinutes) * gridMinutes,
    closesAtMinute: Math.ceil(Math.max(...ends) / gridMinutes) * gridMinutes,
  }
}

/** The periods, in order, in which the shop is closed within the hours that the day view shows. */
export function closedSpans(shown: OpeningHours, open: readonly OpeningHours[]): MinuteSpan[] {
  return without(
    { startsAtMinute: shown.opensAtMinute, endsAtMinute: shown.closesAtMinute },
    open.map(toSpan),
  )
}

/**
 * The free slots of a bay from a given minute on, in order: open time that no vehicle occupies, at least 30 minutes
 * long.
 */
export function freeSpans(
  open: readonly OpeningHours[],
  spans: readonly MinuteSpan[],
  fromMinute: number,
): MinuteSpan[] {
  const past = { startsAtMinute: 0, endsAtMinute: fromMinute }
  return open
    .flatMap((hours) => without(toSpan(hours), [past, ...spans]))
    .filter((span) => minutesOf(span) >= shortestFreeMinutes)
}

/** The number of open minutes in which a vehicle occupies the bay; minutes with several vehicles count once. */
export function takenMinutes(open: readonly OpeningHours[], taken: readonly MinuteSpan[]): number {
  const spans = open.map(toSpan)
  return sumMinutes(spans) - sumMinutes(spans.flatMap((span) => without(span, taken)))
}

const sumMinutes = (spans: readonly MinuteSpan[]) =>
  spans.reduce((sum, span) => sum + minutesOf(span), 0)

/** The duration of a span in minutes. */
export function minutesOf({ startsAtMinute, endsAtMinute }: MinuteSpan): number {
  return endsAtMinute - startsAtMinute
}

/**
 * Places vehicles that overlap in one column of the day view side by side in subcolumns, so that no vehicle covers
 * another vehicle. Each result has the index of its subcolumn (from 0) and the number of subcolumns. The results are
 * sorted by start.
 */
export function assignSubcolumns<Span extends MinuteSpan>(
  spans: readonly Span[],
): (Span & { readonly subcolumn: number; readonly subcolumns: number })[] {
  return groupsOfOverlapping(spans).flatMap((group) => {
    const ends: number[] = []
    const placed = group.map((span) => {
      const free = ends.findIndex((end) => end <= span.startsAtMinute)
      const subcolumn = free === -1 ? ends.length : free
      ends[subcolumn] = span.endsAtMinute
      return { ...span, subcolumn }
    })
    const subcolumns = ends.length
    return placed.map((span) => Object.assign(span, { subcolumns }))
  })
}

function groupsOfOverlapping<Span extends MinuteSpan>(spans: readonly Span[]): Span[][] {
  const groups: Span[][] = []
  let end = -1
  for (const span of spans.toSorted((a, b) => a.startsAtMinute - b.startsAtMinute)) {
    const last = groups.at(-1)
    if (last && span.startsAtMinute < end) last.push(span)
    else groups.push([span])
    end = last && span.startsAtMinute < end ? Math.max(end, span.endsAtMinute) : span.endsAtMinute
  }
  return groups
}

function toSpan({ opensAtMinute, closesAtMinute }: OpeningHours): MinuteSpan {
  return { startsAtMinute: opensAtMinute, endsAtMinute: closesAtMinute }
}

function without(whole: MinuteSpan, taken: readonly MinuteSpan[]): MinuteSpan[] {
  let left = [whole]
  for (const { startsAtMinute, endsAtMinute } of taken) {
    left = left
      .flatMap((span) => [
        { ...span, endsAtMinute: Math.min(span.endsAtMinute, startsAtMinute) },
        { ...span, startsAtMinute: Math.max(span.startsAtMinute, endsAtMinute) },
      ])
      .filter((span) => minutesOf(span) > 0)
  }
  return left
}
