/** What the people of a simulated day were told, to be held against what the shop has at its end. */
export type ExpectedRecords = {
  /** Addresses of customers whose booking was answered with 201. */
  readonly booked: Set<string>
  /** Those whom a confirmation was promised, at once or later. */
  readonly bookingConfirmed: Set<string>
  readonly quoteRequested: Set<string>
  readonly quoteConfirmed: Set<string>
  /** Those whom the admin answered. */
  readonly quoteAnswered: Set<string>
  /** Cents by the address of who paid them. */
  readonly paid: Map<string, number>
  /** Bookings that the admin cancelled or completed. */
  readonly cancelled: Set<string>
  readonly completed: Set<string>
  /** Answers that nobody expects: statuses of 500 and up, none at all, refusals without a reason. */
  readonly surprises: string[]
  /** Visitors who found no time, and times that were gone between looking and booking. */
  gaveUp: number
  tooLate: number
  /** Confirmations that the mail server did not take while the visitor waited. */
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
  surprises: [],
  gaveUp: 0,
  tooLate: 0,
  confirmedLater: 0,
})
