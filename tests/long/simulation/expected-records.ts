/**
 * The outcomes that the site reported to the visitors and staff of a simulated day, for comparison with the shop's
 * records at the end.
 */
export type ExpectedRecords = {
  /** The email addresses of customers whose booking got status 201. */
  readonly booked: Set<string>
  /** The email addresses to which the site promised a confirmation, immediately or later. */
  readonly bookingConfirmed: Set<string>
  readonly quoteRequested: Set<string>
  readonly quoteConfirmed: Set<string>
  /** The email addresses of customers whose quote requests the admin answered. */
  readonly quoteAnswered: Set<string>
  /** The amount in cents that each customer paid, by the customer's email address. */
  readonly paid: Map<string, number>
  /** The email addresses of customers whose bookings the admin cancelled or completed. */
  readonly cancelled: Set<string>
  readonly completed: Set<string>
  /** Unexpected outcomes: statuses of 500 and above, missing responses, refusals without a reason. */
  readonly unexpected: string[]
  /**
   * `gaveUp`: the number of visitors who found no free time. `tooLate`: the number of times that another visitor took a
   * time between a visitor's check and booking of this time.
   */
  gaveUp: number
  tooLate: number
  /** The number of confirmations that the mail server had not accepted when the visitor's request ended. */
  confirmedLater: number
}

export const createExpectedRecords = (): ExpectedRecords => ({
  booked: new Set(),
  bookingConfirmed: new Set(),
  quoteRequested: new Set(),
  quoteConfirmed: new Set(),
  quoteAnswered: new Set(),
  paid: new Map(),
  cancelled: new Set(),
  completed: new Set(),
  unexpected: [],
  gaveUp: 0,
  tooLate: 0,
  confirmedLater: 0,
})
