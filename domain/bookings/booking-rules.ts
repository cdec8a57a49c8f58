/** The shop's booking rules (docs/product.md 11.2), stored in `public.booking_rules`. */
export type BookingRules = {
  /** How many minutes before its start an appointment must be booked. */
  readonly noticeMinutes: number
  /** The last bookable day is this many days after today. */
  readonly horizonDays: number
  /** Distance in minutes between possible start times, counted from opening. */
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
