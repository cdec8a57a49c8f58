import { addDays } from '#domain/calendar/calendar-date.ts'
import { type MinuteSpan, takenMinutes } from '#domain/calendar/day-spans.ts'
import type { OpeningHours } from '#domain/calendar/opening-hours.ts'
import { formatLength } from '#domain/text/span-text.ts'

/** The booked part of a bay's open time on one date (docs/product.md 12.9). */
export type BayLoad = {
  readonly openMinutes: number
  /** The booked part of `openMinutes`; minutes outside the opening hours do not count. */
  readonly bookedMinutes: number
  /** The number of vehicles that are still in the bay after midnight. */
  readonly overnightCount: number
}

type Vehicle = MinuteSpan & {
  /** The time at which the vehicle leaves the bay: yyyy-MM-ddTHH:mm:ss, shop time. */
  readonly endsAt: string
}

/** Computes the booked part of a bay's open time on a date (its load) from the vehicles that occupy the bay. */
export function bayLoad(
  date: string,
  open: readonly OpeningHours[],
  vehicles: readonly Vehicle[],
): BayLoad {
  return {
    openMinutes: open.reduce((sum, span) => sum + span.closesAtMinute - span.opensAtMinute, 0),
    bookedMinutes: takenMinutes(open, vehicles),
    // A vehicle that leaves exactly at midnight does not stay overnight.
    overnightCount: vehicles.filter(({ endsAt }) => endsAt > `${addDays(date, 1)}T00:00:00`).length,
  }
}

/** The load of a bay as text: '6 h of 8 h', '7 h 30 min of 8 h, 1 vehicle overnight'. */
export function loadText({ openMinutes, bookedMinutes, overnightCount }: BayLoad): string {
  const load = `${formatLength(bookedMinutes)} of ${formatLength(openMinutes)}`
  if (overnightCount === 0) return load
  return `${load}, ${overnightCount} ${overnightCount === 1 ? 'vehicle' : 'vehicles'} overnight`
}
