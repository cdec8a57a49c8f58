/**
 * The deposit that staff request: an amount in cents, or a percentage of the approved amount; both values are null for
 * no deposit.
 */
export type AskedDeposit = {
  readonly amountCents: number | null
  readonly sharePercent: number | null
}

/**
 * The deposit in cents for an approved amount, at most that amount. The database computes the same deposit
 * (`internal.asked_deposit_cents`).
 */
export function depositCents(asked: AskedDeposit, approvedCents: number): number {
  const share = Math.round((approvedCents * (asked.sharePercent ?? 0)) / 100)
  return Math.min(asked.amountCents ?? share, approvedCents)
}
