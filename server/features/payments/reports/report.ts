/** A change that Stripe has to know (`internal.stripe_reports`). */
export type Report = {
  readonly id: string
  readonly kind: 'payment' | 'credit_note' | 'void' | 'write_off' | 'refund' | 'deposit_refund'
  /** The invoice; null for the refund of a deposit. */
  readonly invoiceId: string | null
  /** The payment record, payment, credit note or refund at Stripe; null until Stripe has created it. */
  readonly stripeId: string | null
  readonly attempts: number
  /** Whether the idempotency key may be forgotten (24 hours) or returns a stored failure: then Stripe is searched first. */
  readonly isSearched: boolean
}

/** A change of an invoice. */
export type InvoiceReport = Report & { readonly invoiceId: string }

/** The idempotency key of a call. After a day, and after a failure that Stripe stores with the key, a new one is needed. */
export function keyOf(
  step: string,
  recordId: string,
  { attempts, isSearched }: Pick<Report, 'attempts' | 'isSearched'>,
): string {
  return isSearched ? `${step}-${recordId}-${attempts}` : `${step}-${recordId}`
}
