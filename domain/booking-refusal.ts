import { hasMinimumNotice } from './booking-notice.ts'
import { bookingWindow } from './booking-window.ts'
import { weekdayOf } from './calendar-date.ts'
import { secondOfTime } from './clock-time.ts'
import { openingHours } from './opening-hours.ts'
import { shopInstant } from './shop-time.ts'

/** Appointments start every 30 minutes from opening time (docs/product.md 9.3). */
export const slotStepMinutes = 30

/** Why an appointment may not start at a time. The database has the same codes, in the same order. */
export type BookingRefusal =
  | 'in_the_past'
  | 'too_far_ahead'
  | 'notice_required'
  | 'outside_hours'
  | 'off_the_grid'

/** A shop date 'yyyy-MM-dd' and time 'HH:mm' or 'HH:mm:ss' with the length of the appointment. */
export type WantedTime = { date: string; time: string; durationMinutes: number }

/**
 * Why an appointment may not start then, or null when only another appointment could be in the way
 * (docs/product.md 5.4 and 9.3). `internal.booking_refusal` in the database is the same rule; a test
 * holds the two against each other.
 */
export function bookingRefusal(wanted: WantedTime, now: Date): BookingRefusal | null {
  const { date, time, durationMinutes } = wanted
  const { first, last } = bookingWindow(now)
  if (date < first || shopInstant(date, time) < now) return 'in_the_past'
  if (date > last) return 'too_far_ahead'
  if (!hasMinimumNotice(date, time, now)) return 'notice_required'
  const { opensAtMinute, closesAtMinute } = openingHours[weekdayOf(date)]
  const second = secondOfTime(time)
  const startMinute = Math.floor(second / 60)
  if (startMinute < opensAtMinute || startMinute + durationMinutes > closesAtMinute) {
    return 'outside_hours'
  }
  const secondsFromOpening = second - opensAtMinute * 60
  return secondsFromOpening % (slotStepMinutes * 60) === 0 ? null : 'off_the_grid'
}
