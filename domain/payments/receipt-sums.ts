type Line = {
  readonly id: string
  readonly kind: string
  readonly original_id: string | null
  /** The amount that the line adds to the paid amount of its invoice. */
  readonly amount_cents: number
  /** ISO 8601. */
  readonly paid_at: string
  readonly recorded_at: string
}

/** What an invoice is over: its total, without what was credited or is due on a replacement invoice since `at`. */
type InvoiceSums = {
  readonly totalCents: number
  readonly reductions: readonly { readonly cents: number; readonly at: string }[]
}

/** The sums that the receipt of a payment shows, in cents. */
export type ReceiptSums = {
  readonly paidBeforeCents: number
  /** The cents that cash rounding added to the paid amount. */
  readonly roundingCents: number
  /** The balance right after the payment; later payments and corrections do not change a receipt. */
  readonly balanceCents: number
}

/** The sums around a payment. `lines` are those of its invoice, in any order. */
export function receiptSums(
  lines: readonly Line[],
  payment: Line,
  { totalCents, reductions }: InvoiceSums,
): ReceiptSums {
  const recordedAt = Date.parse(payment.recorded_at)
  const others = lines.filter(
    ({ id, original_id }) => id !== payment.id && original_id !== payment.id,
  )
  // The reversal that a corrected payment replaces was recorded in the same transaction.
  const before = others.filter((line) => Date.parse(line.recorded_at) <= recordedAt)
  // The refund of a rounded payment takes the rounding back later.
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
