/** The words of the states that records are in, wherever they are shown. */

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

/** Of an appointment (`state` of contracts/bookings/day.ts); what staff wrote stays as it is. */
export const bookingStateLabel = (state: string) => bookingStates[state] ?? state

/** Of an invoice, by the processor's word. */
export const invoiceStatusLabel = (status: string) => invoiceStatuses[status] ?? status
