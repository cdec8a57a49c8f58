/** How the shop takes bookings (docs/product.md 11.2); the row is `public.booking_rules`. */
export type BookingRules = {
  /** How long before its start an appointment must be booked. */
  readonly noticeMinutes: number
  /** How many days ahead of today the last bookable day is. */
  readonly horizonDays: number
  /** Appointments start every so many minutes from opening. */
  readonly gridMinutes: number
  /** Whether visitors book nothing for the time being. */
  readonly isPaused: boolean
}

/** What a fresh shop has (docs/product.md 9.3). */
export const defaultBookingRules: BookingRules = {
  noticeMinutes: 120,
  horizonDays: 30,
  gridMinutes: 30,
  isPaused: false,
}
