import { addDays, firstOfMonth, isCalendarDate } from '#domain/calendar/calendar-date.ts'
import { clampDay, type DayRange } from '#domain/calendar/calendar-month.ts'
import { isClockTime } from '#domain/calendar/clock-time.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'

/**
 * The date and time that the customer chose on the page for moving an appointment. The URL of the page contains them,
 * so that the page works without JavaScript.
 */
export type RescheduleQuery = {
  readonly date: string | undefined
  readonly month: string | undefined
  readonly time: string | undefined
  /** The free times ('HH:mm') that the page showed when the customer made this choice. */
  readonly shown: readonly string[]
}

/** The customer's choice, limited to the available days. */
export type RescheduleChoice = {
  readonly date: string
  readonly month: string
  readonly time: string | undefined
  /** Whether the URL contains the day; otherwise the day is the date of the appointment. */
  readonly isDayPicked: boolean
}

type Rescheduled = {
  /** The current shop time as 'yyyy-MM-ddTHH:mm:ss'. */
  readonly now: string
  /** The current date of the appointment. */
  readonly date: string
}

/** The maximum number of free times of day that `readRescheduleQuery` accepts from the URL; no day has more. */
const mostTimes = 100

/** Reads the customer's choice of date and time from the URL; ignores invalid dates and times. */
export function readRescheduleQuery(query: Readonly<Record<string, unknown>>): RescheduleQuery {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '')
  const dateOf = (name: string) => (isCalendarDate(text(name)) ? text(name) : undefined)
  const time = isClockTime(text('time')) ? text('time') : undefined
  const shown = text('shown').split(' ', mostTimes).filter(isClockTime)
  return { date: dateOf('date'), month: dateOf('month'), time, shown }
}

/** The days to which an appointment can be moved, from today on. */
export function rescheduleRange(
  { rules }: Pick<ShopFacts, 'rules'>,
  { now }: Pick<Rescheduled, 'now'>,
): DayRange {
  const first = now.slice(0, 10)
  return { first, last: addDays(first, rules.horizonDays) }
}

/**
 * Limits the customer's choice to the available days. If the URL contains no day, the date of the appointment is the
 * chosen day.
 */
export function rescheduleChoice(
  shop: Pick<ShopFacts, 'rules'>,
  booking: Rescheduled,
  { date, month, time }: RescheduleQuery,
): RescheduleChoice {
  const range = rescheduleRange(shop, booking)
  const day = clampDay(date ?? booking.date, range)
  return {
    date: day,
    month: firstOfMonth(clampDay(month ?? day, range)),
    time: date === day ? time : undefined,
    isDayPicked: date === day,
  }
}
