import { dayNames, formatDayOfYear, weekdayOf } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { formatDuration } from '#domain/text/duration-text.ts'
import { formatDateTime } from '#domain/calendar/date-time-text.ts'
import type { HistoryEntry, VisitPageData } from '#contracts/bookings/visit-page.ts'

/** Formats a weekday, such as 'Tuesday'. */
export const weekdayName = (date: string): string => dayNames[weekdayOf(date)]

/** Formats a date and time of the shop: '2026-11-24T13:00:00' → 'Tuesday, November 24, 1:00 PM'. */
export const formatStampDateTime = (stamp: string): string =>
  formatDateTime(stamp.slice(0, 10), stamp.slice(11))

/** Formats a date without its weekday, such as 'November 24'. */
export const dayOfMonth = (date: string): string => formatDayOfYear(date).replace(/^\w+, /, '')

/** Formats the service of an appointment with its duration: 'Multipoint Inspection, about 1 hour'. */
export const formatService = ({ serviceName, durationMinutes }: VisitPageData): string =>
  `${serviceName}, about ${formatDuration(durationMinutes)}`

/** Returns the latest cancellation in the history; undefined if the appointment was never cancelled. */
export function cancellationOf({ history }: VisitPageData): HistoryEntry | undefined {
  return history.findLast(({ kind }) => kind === 'cancelled')
}

/** A line of the history on the visit page: the formatted time, and the text. */
export type HistoryText = { readonly at: string; readonly text: string }

/** An entry of the history. `stamp` is its time as 'yyyy-MM-ddTHH:mm:ss' in the shop's time zone. */
export type TimedText = { readonly stamp: string; readonly text: string }

/** Returns the history of the booking and of its repair, oldest first, without internal changes of the shop. */
export function historyTexts(
  { history }: VisitPageData,
  work: readonly TimedText[] = [],
): HistoryText[] {
  const lasting = history.filter((line, nth) => !isUndone(line, history[nth + 1]))
  const texts = lasting.flatMap((line) => {
    const text = textOf(line)
    return text === undefined ? [] : [{ stamp: line.at, text }]
  })
  return [...texts, ...work]
    .toSorted((one, other) => Number(one.stamp > other.stamp) - Number(one.stamp < other.stamp))
    .map(({ stamp, text }) => ({ at: formatStampDateTime(stamp), text }))
}

/**
 * Whether the following history entry (`next`) undoes this entry about the vehicle, such as its arrival. The page
 * leaves out an undone entry, because staff recorded the entry by mistake.
 */
function isUndone({ kind }: HistoryEntry, next: HistoryEntry | undefined): boolean {
  const isStep = ['arrived', 'started', 'completed', 'no_show'].includes(kind)
  return isStep && (next?.kind === 'undone' || next?.kind === 'reopened')
}

function textOf({ kind, source, before, after }: HistoryEntry): string | undefined {
  const actor = source === 'customer' ? 'You' : 'The shop'
  switch (kind) {
    case 'booked':
      return source === 'counter' ? 'Booked by phone' : 'Booked online'
    case 'confirmed':
      return 'You confirmed the appointment'
    case 'moved':
      return moveOf(actor, { before, after })
    case 'answered':
      return "You confirmed you're coming"
    case 'cancelled':
      return `${actor} cancelled the appointment`
    case 'reopened':
      return before?.state === 'cancelled' ? returnOf(source) : undefined
    case 'arrived':
      return 'Your car arrived'
    case 'started':
      return 'Work started'
    case 'completed':
      return 'Done'
    default:
      return undefined
  }
}

const returnOf = (source: HistoryEntry['source']) =>
  source === 'customer' ? 'You restored the appointment' : 'The shop restored the appointment'

function moveOf(actor: string, { before, after }: Pick<HistoryEntry, 'before' | 'after'>) {
  if (after?.date === undefined && after?.time === undefined) return undefined
  // A history entry contains only the changed fields: if the appointment moved within one day, only the time.
  const from = [
    before?.date && formatDayOfYear(before.date),
    before?.time && formatTime(before.time),
  ]
  const to = [after.date && formatDayOfYear(after.date), after.time && formatTime(after.time)]
  return `${actor} moved it from ${from.filter(Boolean).join(', ')} to ${to.filter(Boolean).join(', ')}`
}
