import { bookingRefusal, slotStepMinutes } from './booking-refusal.ts'
import { weekdayOf } from './calendar-date.ts'
import { minuteOfTime, timeOfMinute } from './clock-time.ts'
import { openingHours, type OpeningHours, type Weekday } from './opening-hours.ts'

/**
 * The times at which an appointment may start on a date, 'HH:mm' in order: every 30 minutes from opening,
 * the last at or before closing time minus the duration (docs/product.md 9.3). Whether they are
 * still free, or far enough ahead, is not asked here.
 */
export function listTimeSlots(
  date: string,
  durationMinutes: number,
  week: Readonly<Record<Weekday, OpeningHours>> = openingHours,
): string[] {
  const { opensAtMinute, closesAtMinute } = week[weekdayOf(date)]
  const slots: string[] = []
  for (
    let minute = opensAtMinute;
    minute + durationMinutes <= closesAtMinute;
    minute += slotStepMinutes
  ) {
    slots.push(timeOfMinute(minute))
  }
  return slots
}

/** The time slots of a date that `now` still allows to book: those within the minimum notice are hidden. */
export function listBookableSlots(date: string, durationMinutes: number, now: Date): string[] {
  return listTimeSlots(date, durationMinutes).filter(
    (time) => bookingRefusal({ date, time, durationMinutes }, now) === null,
  )
}

export type PartOfDay = 'Morning' | 'Afternoon' | 'Evening'

/** Morning until noon, afternoon until 5 PM, then evening. */
export function partOfDay(time: string): PartOfDay {
  const minute = minuteOfTime(time)
  if (minute < 12 * 60) return 'Morning'
  return minute < 17 * 60 ? 'Afternoon' : 'Evening'
}
