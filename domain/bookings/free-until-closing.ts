import { freeSpans, minuteOnDate, minutesOf } from '#domain/calendar/day-spans.ts'
import { occupiesBay } from './occupies-bay.ts'
import type { OpeningHours } from '#domain/calendar/opening-hours.ts'

type Bay = {
  readonly id: string
  readonly name: string
  readonly is_active: boolean
  readonly open: readonly OpeningHours[]
}
type Booking = {
  readonly bay_id: string | null
  readonly state: string
  /** The start of the appointment: yyyy-MM-ddTHH:mm:ss, shop time. */
  readonly starts_at: string
  readonly ends_at: string
}

/**
 * The free minutes of each active bay between now and closing. Free slots shorter than 30 minutes do not count
 * (docs/product.md 13.6).
 */
export function freeUntilClosing(day: {
  readonly day: string
  readonly now: string
  readonly bays: readonly Bay[]
  readonly bookings: readonly Booking[]
}): { name: string; minutes: number }[] {
  const toSpan = ({ starts_at, ends_at }: Booking) => ({
    startsAtMinute: minuteOnDate(day.day, starts_at),
    endsAtMinute: minuteOnDate(day.day, ends_at),
  })
  return day.bays
    .filter((bay) => bay.is_active)
    .map(({ id, name, open }) => {
      const bookings = day.bookings.filter(
        ({ bay_id, state }) => bay_id === id && occupiesBay(state),
      )
      const free = freeSpans(open, bookings.map(toSpan), minuteOnDate(day.day, day.now))
      return { name, minutes: free.reduce((total, span) => total + minutesOf(span), 0) }
    })
}
