import type { TodayPage } from '#contracts/today.ts'
import { closedSpans, minuteOnDate, type MinuteSpan } from '#domain/calendar/day-spans.ts'
import { freeUntilClosing } from '#domain/bookings/free-until-closing.ts'
import { formatLength, shortTimes } from '#domain/text/span-text.ts'

type Day = Pick<TodayPage, 'day' | 'open' | 'closures'>

/**
 * Describes today's opening hours: 'Open 11 AM – 7 PM. Closed 2–3 PM: staff meeting.', 'Closed all day: Thanksgiving
 * Day.'
 */
export function formatDayHours(day: Day): string {
  const { open } = day
  const [first, last] = [open[0], open.at(-1)]
  if (!first || !last) {
    return withReason('Closed all day', day, { startsAtMinute: 0, endsAtMinute: 1440 })
  }
  const hours = { opensAtMinute: first.opensAtMinute, closesAtMinute: last.closesAtMinute }
  const whole = { startsAtMinute: hours.opensAtMinute, endsAtMinute: hours.closesAtMinute }
  const closed = closedSpans(hours, open).map((span) =>
    withReason(`Closed ${shortTimes(span)}`, day, span),
  )
  return [`Open ${shortTimes(whole)}.`, ...closed].join(' ')
}

function withReason(what: string, { day, closures }: Day, span: MinuteSpan): string {
  const reason = closures.find(
    (closure) =>
      !closure.is_open &&
      closure.bay_id === null &&
      minuteOnDate(day, closure.starts_at) < span.endsAtMinute &&
      minuteOnDate(day, closure.ends_at) > span.startsAtMinute,
  )?.reason
  return reason ? `${what}: ${reason}.` : `${what}.`
}

/**
 * The free time of the bays in words: 'Free until closing: 4 h 15 min in Bay 1, none in Rack'. Undefined when no bay is
 * open any more today.
 */
export function formatFreeTime(day: TodayPage): string | undefined {
  const nowMinute = minuteOnDate(day.day, day.now)
  const isOver = day.bays.every(({ open }) =>
    open.every(({ closesAtMinute }) => closesAtMinute <= nowMinute),
  )
  if (isOver) return undefined
  const bays = freeUntilClosing(day).map(
    ({ name, minutes }) => `${minutes > 0 ? formatLength(minutes) : 'none'} in ${name}`,
  )
  return `Free until closing: ${bays.join(', ')}`
}
