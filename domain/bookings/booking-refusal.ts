import { hasMinimumNotice } from './booking-notice.ts'
import { bookingWindow } from './booking-window.ts'
import { secondOfTime } from '#domain/calendar/clock-time.ts'
import type { OpeningHours } from '#domain/calendar/opening-hours.ts'
import { defaultCalendar, type ShopCalendar } from '#domain/calendar/shop-calendar.ts'
import { shopInstant } from '#domain/calendar/shop-time.ts'

/** The reasons why the booking rules refuse a start time. The database checks the same reasons in the same order. */
export type BookingRefusal =
  | 'booking_paused'
  | 'in_the_past'
  | 'too_far_ahead'
  | 'notice_required'
  | 'outside_hours'
  | 'off_the_grid'

/** A requested time: shop date 'yyyy-MM-dd', time 'HH:mm' or 'HH:mm:ss', and the duration of the appointment. */
export type WantedTime = { date: string; time: string; durationMinutes: number }

/**
 * The reason why the booking rules refuse a requested start time, or null when they allow it. This function does not
 * check conflicts with other appointments (docs/product.md 5.4 and 9.3). `internal.booking_refusal` in the database
 * implements the same rule, and a test compares the two functions.
 */
export function bookingRefusal(
  wanted: WantedTime,
  now: Date,
  calendar: ShopCalendar = defaultCalendar,
): BookingRefusal | null {
  if (calendar.rules.isPaused) return 'booking_paused'
  const { date, time } = wanted
  const { first, last } = bookingWindow(now, calendar)
  if (date < first || shopInstant(date, time, calendar.timeZone) < now) return 'in_the_past'
  if (date > last) return 'too_far_ahead'
  if (!hasMinimumNotice(date, time, now, calendar)) return 'notice_required'
  const spans = calendar.openingsOn(date).flat()
  const around = spans.filter((span) => isInside(span, wanted))
  if (around.length === 0) return 'outside_hours'
  const gridSeconds = calendar.rules.gridMinutes * 60
  const fits = around.some(
    ({ opensAtMinute }) => (secondOfTime(time) - opensAtMinute * 60) % gridSeconds === 0,
  )
  return fits ? null : 'off_the_grid'
}

function isInside(span: OpeningHours, { time, durationMinutes }: WantedTime): boolean {
  const minute = Math.floor(secondOfTime(time) / 60)
  return span.opensAtMinute <= minute && minute + durationMinutes <= span.closesAtMinute
}
