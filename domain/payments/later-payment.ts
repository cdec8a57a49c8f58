type Line = {
  readonly kind: string
  /** The amount that the ledger line adds to the paid amount of the invoice. */
  readonly amount_cents: number
}

/**
 * Returns the newest payment that was recorded after the user saw the paid amount `seenPaidCents`. `lines` are all
 * ledger lines of the invoice, in the order in which they were recorded. Undefined when no payment was recorded since
 * then, or when the paid amount never was `seenPaidCents`.
 */
export function laterPayment<Ledger extends Line>(
  lines: readonly Ledger[],
  seenPaidCents: number,
): Ledger | undefined {
  let paidCents = 0
  let seen = seenPaidCents === 0 ? 0 : -1
  lines.forEach(({ amount_cents: cents }, index) => {
    paidCents += cents
    if (paidCents === seenPaidCents) seen = index + 1
  })
  if (seen < 0) return undefined
  return lines.slice(seen).findLast(({ kind }) => kind === 'payment')
}
