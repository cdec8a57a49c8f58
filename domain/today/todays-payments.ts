import { occupiesBay } from '#domain/bookings/occupies-bay.ts'

/** The number and the sum of a day's payments with one outcome in one currency. */
type Payments = {
  readonly outcome: string
  readonly currency: string
  readonly payments: number
  readonly cents: number
}
type Invoice = {
  readonly customer_email?: string | null | undefined
  readonly currency: string
  readonly amountDue: number
}
type Booking = { readonly customer_email: string | null; readonly state: string }

/** The day's payments in US cents; the currency of the shop is the US dollar. */
export type TodaysPayments = {
  readonly receivedCents: number
  readonly payments: number
  /** The sum of the open invoices that were sent to the email addresses of today's customers. */
  readonly toComeCents: number
  readonly toCome: number
  readonly expectedCents: number
}

/**
 * Computes the payments received on a day minus refunds, and the open invoices of the day's customers
 * (docs/product.md 13.4).
 */
export function todaysPayments(
  ledger: readonly Payments[],
  openInvoices: readonly Invoice[],
  bookings: readonly Booking[],
): TodaysPayments {
  const received = ledger.filter(
    ({ outcome, currency }) => outcome !== 'refunded' && currency === 'usd',
  )
  const here = new Set(
    bookings
      .filter(({ state }) => occupiesBay(state))
      .map(({ customer_email }) => mailbox(customer_email)),
  )
  const toCome = openInvoices.filter(
    ({ customer_email, currency }) =>
      currency === 'usd' && customer_email && here.has(mailbox(customer_email)),
  )
  const receivedCents = sum(received.map(({ cents }) => cents))
  const toComeCents = sum(toCome.map(({ amountDue }) => amountDue))
  return {
    receivedCents,
    payments: sum(received.map(({ payments }) => payments)),
    toComeCents,
    toCome: toCome.length,
    expectedCents: receivedCents + toComeCents,
  }
}

function mailbox(email: string | null): string | undefined {
  return email?.trim().toLowerCase()
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
