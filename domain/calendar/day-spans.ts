import { minuteOfTime } from './clock-time.ts'
import type { OpeningHours } from './opening-hours.ts'

/** A part of a date, in minutes after its midnight, the end excluded. */
export type MinuteSpan = { readonly startsAtMinute: number; readonly endsAtMinute: number }

const minutesOfDay = 24 * 60
const gridMinutes = 30
/** Shorter ones hold hardly any service. */
const shortestFreeMinutes = 30

/** The minute of `date` that a moment 'yyyy-MM-ddTHH:mm:ss' is: 0 when it is on an earlier date, 1440 on a later one. */
export function minuteOnDate(date: string, dateTime: string): number {
  const [startDate = '', time = ''] = dateTime.split('T')
  if (startDate < date) return 0
  return startDate > date ? minutesOfDay : minuteOfTime(time)
}

/** What a day's grid spans, in whole half hours: all hours given and every car; undefined when there is neither. */
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

/** What of the hours shown is not open, in order. */
export function closedSpans(shown: OpeningHours, open: readonly OpeningHours[]): MinuteSpan[] {
  return without(
    { startsAtMinute: shown.opensAtMinute, endsAtMinute: shown.closesAtMinute },
    open.map(toSpan),
  )
}

/** What of the open hours no car takes, from a minute on: parts of at least half an hour, in order. */
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

/** How many of the open minutes are taken, each counted once. */
export function takenMinutes(open: readonly OpeningHours[], taken: readonly MinuteSpan[]): number {
  const spans = open.map(toSpan)
  return sumMinutes(spans) - sumMinutes(spans.flatMap((span) => without(span, taken)))
}

const sumMinutes = (spans: readonly MinuteSpan[]) =>
  spans.reduce((sum, span) => sum + minutesOf(span), 0)

/** How long a part of a day is. */
export function minutesOf({ startsAtMinute, endsAtMinute }: MinuteSpan): number {
  return endsAtMinute - startsAtMinute
}

/**
 * Puts cars of one lane side by side where their times overlap, so that none is drawn over another: each with its
 * column, from 0, and how many columns there are beside it. In order of their start.
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
