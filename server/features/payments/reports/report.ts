/** A change of an invoice that Stripe has to know (`internal.stripe_reports`). */
export type Report = {
  readonly id: string
  readonly invoiceId: string
  readonly kind: 'payment' | 'credit_note' | 'void' | 'write_off' | 'refund'
  /** The payment record or credit note at Stripe; null until Stripe has created it. */
  readonly stripeId: string | null
  readonly attempts: number
  /** Whether the idempotency key may be forgotten (24 hours) or returns a stored failure: then Stripe is searched first. */
  readonly isSearched: boolean
}

/** The idempotency key of a call. After a day, and after a failure that Stripe stores with the key, a new one is needed. */
export function keyOf(
  step: string,
  recordId: string,
  { attempts, isSearched }: Pick<Report, 'attempts' | 'isSearched'>,
): string {
  return isSearched ? `${step}-${recordId}-${attempts}` : `${step}-${recordId}`
}
