import { bookingRefusal } from './booking-refusal.ts'
import { minuteOfTime, timeOfMinute } from '#domain/calendar/clock-time.ts'
import { defaultCalendar, type ShopCalendar } from '#domain/calendar/shop-calendar.ts'

/**
 * The times at which an appointment may start on a date: 'HH:mm' in ascending order. The first start of each open span
 * is its opening time, and further starts follow every `gridMinutes` minutes. The last start leaves at least the
 * appointment's duration until the span ends (docs/product.md 9.3, 11.3). This function checks neither other
 * appointments nor the minimum notice.
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

/** The time slots of a date that are at least the minimum notice after `now`. */
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

/** The part of the day: morning until noon, afternoon until 5 PM, then evening. */
export function partOfDay(time: string): PartOfDay {
  const minute = minuteOfTime(time)
  if (minute < 12 * 60) return 'Morning'
  return minute < 17 * 60 ? 'Afternoon' : 'Evening'
}
