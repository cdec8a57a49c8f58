type Line = {
  readonly id: string
  readonly kind: string
  readonly original_id: string | null
  /** The amount that the line adds to the paid amount of its invoice. */
  readonly amount_cents: number
}

/** The sums that the receipt of a payment shows, in cents. */
export type ReceiptSums = {
  readonly paidBeforeCents: number
  /** The cents that cash rounding added to the paid amount. */
  readonly roundingCents: number
  /** The balance right after the payment; later payments do not change a receipt. */
  readonly balanceCents: number
}

/** The sums around a payment. `lines` are those of its invoice, in the order in which they were recorded. */
export function receiptSums(
  lines: readonly Line[],
  payment: Line,
  totalCents: number,
): ReceiptSums {
  const before = lines.slice(
    0,
    lines.findIndex(({ id }) => id === payment.id),
  )
  const rounding = lines.filter(
    ({ kind, original_id }) => kind === 'cash_rounding' && original_id === payment.id,
  )
  const paidBeforeCents = sumOf(before)
  const roundingCents = sumOf(rounding)
  return {
    paidBeforeCents,
    roundingCents,
    balanceCents: totalCents - paidBeforeCents - payment.amount_cents - roundingCents,
  }
}

const sumOf = (lines: readonly Line[]) =>
  lines.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
