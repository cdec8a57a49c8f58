type Line = {
  readonly id: string
  readonly kind: string
  readonly original_id: string | null
  /** The amount that the ledger line adds to the paid amount of the invoice. */
  readonly amount_cents: number
  /** The time of the payment: ISO 8601. */
  readonly paid_at: string
  readonly recorded_at: string
}

/**
 * The total of an invoice, and its reductions: the amounts that credit notes and replacement invoices subtracted from
 * the total. `at` is the time of a reduction.
 */
type InvoiceSums = {
  readonly totalCents: number
  readonly reductions: readonly { readonly cents: number; readonly at: string }[]
}

/** The sums that the receipt of a payment shows, in cents. */
export type ReceiptSums = {
  readonly paidBeforeCents: number
  /** The cents that cash rounding added to the paid amount. */
  readonly roundingCents: number
  /** The balance immediately after the payment; later payments and corrections do not change a receipt. */
  readonly balanceCents: number
}

/**
 * Computes the amounts before and after a payment. `lines` are the ledger lines of the payment's invoice, in any order.
 */
export function receiptSums(
  lines: readonly Line[],
  payment: Line,
  { totalCents, reductions }: InvoiceSums,
): ReceiptSums {
  const recordedAt = Date.parse(payment.recorded_at)
  const others = lines.filter(
    ({ id, original_id }) => id !== payment.id && original_id !== payment.id,
  )
  // The reversal of a corrected payment is recorded in the same transaction as the new payment, so the reversal counts
  // as earlier than the new payment.
  const before = others.filter((line) => Date.parse(line.recorded_at) <= recordedAt)
  // A later refund of a rounded payment reverses the rounding with another ledger line, dated like the refund. The
  // rounding on the receipt does not include that line.
  const rounding = lines.filter(
    ({ kind, original_id, paid_at }) =>
      kind === 'cash_rounding' && original_id === payment.id && paid_at === payment.paid_at,
  )
  const reduced = reductions.filter(({ at }) => Date.parse(at) < recordedAt)
  const paidBeforeCents = sumOf(before.map(({ amount_cents }) => amount_cents))
  const roundingCents = sumOf(rounding.map(({ amount_cents }) => amount_cents))
  return {
    paidBeforeCents,
    roundingCents,
    balanceCents:
      totalCents -
      sumOf(reduced.map(({ cents }) => cents)) -
      paidBeforeCents -
      payment.amount_cents -
      roundingCents,
  }
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, cents) => sum + cents, 0)
