/** Labels for the states of bookings and the statuses of invoices, shared by all pages. */

const bookingStates: Readonly<Record<string, string>> = {
  confirmed: 'Booked',
  pending: 'Pending',
  arrived: 'Arrived',
  in_work: 'In work',
  completed: 'Picked up',
  cancelled: 'Cancelled',
  no_show: 'No-show',
  not_confirmed: 'Not confirmed',
}

const invoiceStatuses: Readonly<Record<string, string>> = {
  draft: 'Draft',
  open: 'Open',
  paid: 'Paid',
  uncollectible: 'Uncollectible',
  void: 'Void',
}

/**
 * The label of a booking's state (`state` of contracts/bookings/day.ts). A status that staff entered as free text is
 * returned unchanged.
 */
export const bookingStateLabel = (state: string) => bookingStates[state] ?? state

/** The label of an invoice's status, which is a status of Stripe. */
export const invoiceStatusLabel = (status: string) => invoiceStatuses[status] ?? status
