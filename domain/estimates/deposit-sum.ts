/** The deposit that staff ask for: a sum in cents or a share of what is approved; both null for none. */
export type AskedDeposit = {
  readonly amountCents: number | null
  readonly sharePercent: number | null
}

/**
 * The deposit in cents for an approved amount, never above it. The database computes the same
 * (`internal.asked_deposit_cents`).
 */
export function depositCents(asked: AskedDeposit, approvedCents: number): number {
  const share = Math.round((approvedCents * (asked.sharePercent ?? 0)) / 100)
  return Math.min(asked.amountCents ?? share, approvedCents)
}
