/** The shop's rules for online bookings (docs/product.md 11.2), stored in `public.booking_rules`. */
export type BookingRules = {
  /** The minimum notice: an appointment must be booked at least this many minutes before its start. */
  readonly noticeMinutes: number
  /** The last bookable date is this many days after today. */
  readonly horizonDays: number
  /** The distance between possible start times in minutes, counted from the opening time. */
  readonly gridMinutes: number
  /** Whether online booking is switched off. */
  readonly isPaused: boolean
}

/** The booking rules of a newly installed shop (docs/product.md 9.3). */
export const defaultBookingRules: BookingRules = {
  noticeMinutes: 120,
  horizonDays: 30,
  gridMinutes: 30,
  isPaused: false,
}
