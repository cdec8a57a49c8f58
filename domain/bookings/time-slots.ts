import { bookingRefusal } from './booking-refusal.ts'
import { minuteOfTime, timeOfMinute } from '#domain/calendar/clock-time.ts'
import { defaultCalendar, type ShopCalendar } from '#domain/calendar/shop-calendar.ts'

/**
 * The times at which an appointment may start on a date, 'HH:mm' in order. Each open span has a start at its opening
 * and at every step of the grid; the last start is at or before the end of the span minus the duration
 * (docs/product.md 9.3, 11.3). This function checks neither other appointments nor the minimum notice.
 */
export function listTimeSlots(
  date: string,
  durationMinutes: number,
  { rules, openingsOn }: ShopCalendar = defaultCalendar,
): string[] {
  const minutes = new Set<number>()
  for (const { opensAtMinute, closesAtMinute } of openingsOn(date).flat()) {
    const last = closesAtMinute - durationMinutes
    for (let minute = opensAtMinute; minute <= last; minute += rules.gridMinutes) {
      minutes.add(minute)
    }
  }
  return [...minutes].sort((a, b) => a - b).map(timeOfMinute)
}

/** The time slots of a date without those that the minimum notice rules out at `now`. */
export function listBookableSlots(
  date: string,
  durationMinutes: number,
  now: Date,
  calendar: ShopCalendar = defaultCalendar,
): string[] {
  return listTimeSlots(date, durationMinutes, calendar).filter(
    (time) => bookingRefusal({ date, time, durationMinutes }, now, calendar) === null,
  )
}

export type PartOfDay = 'Morning' | 'Afternoon' | 'Evening'

/** Morning until noon, afternoon until 5 PM, then evening. */
export function partOfDay(time: string): PartOfDay {
  const minute = minuteOfTime(time)
  if (minute < 12 * 60) return 'Morning'
  return minute < 17 * 60 ? 'Afternoon' : 'Evening'
}
