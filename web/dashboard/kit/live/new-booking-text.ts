import { addDays } from '#domain/calendar/calendar-date.ts'
import { formatDateTime, formatShortDateTime } from '#domain/calendar/date-time-text.ts'
import {
  bookingListLink,
  type DashboardLink,
  dayLink,
} from '#web/dashboard/kit/navigation/links.ts'
import type { ToastMessage } from '#web/ui/toast/toast.ts'

/** An appointment that a visitor has just booked. */
export type NewBooking = {
  readonly id: string
  readonly customer_name: string
  /** The date of the appointment in shop time, yyyy-MM-dd. */
  readonly appointment_date: string
  /** The start of the appointment in shop time, HH:mm:ss. */
  readonly appointment_time: string
  readonly service_name: string
}

/**
 * Returns the toast 'New booking: Robin Vale, Friday 10:30 AM, Brake Job.'; for several bookings, the toast states only
 * their number. `show` opens a page of the dashboard.
 */
export function formatNewBookings(
  bookings: readonly NewBooking[],
  today: string,
  show: (link: DashboardLink) => void,
): ToastMessage | undefined {
  const [first, second] = bookings
  if (!first) return undefined
  const link = second ? bookingListLink : dayLink(first.appointment_date, first.id)
  return {
    title: second
      ? `${bookings.length} new bookings`
      : `New booking: ${first.customer_name}, ${whenOf(first, today)}, ${first.service_name}.`,
    action: { label: 'Show', run: () => show(link) },
  }
}

/** The start of a booking: 'Friday 10:30 AM' within a week, otherwise 'Tuesday, December 1, 10:30 AM'. */
function whenOf(
  { appointment_date: date, appointment_time: time }: NewBooking,
  today: string,
): string {
  const isNear = today <= date && date < addDays(today, 7)
  return isNear ? formatShortDateTime(date, time).replace(',', '') : formatDateTime(date, time)
}
