/** A change to report to Stripe, such as a payment or a refund (`internal.stripe_reports`). */
export type Report = {
  readonly id: string
  readonly kind: 'payment' | 'credit_note' | 'void' | 'write_off' | 'refund' | 'deposit_refund'
  /** The Stripe id of the invoice; null for the refund of a deposit. */
  readonly invoiceId: string | null
  /** The id of the payment record, payment, credit note or refund at Stripe; null until it was created. */
  readonly stripeId: string | null
  readonly attempts: number
  /**
   * Whether the job first searches Stripe for the result of an earlier attempt, because the idempotency key may have
   * expired (24 hours) or may return a stored failure.
   */
  readonly isSearched: boolean
}

/** A change of an invoice to report to Stripe. */
export type InvoiceReport = Report & { readonly invoiceId: string }

/**
 * Returns the idempotency key of a Stripe call. After a day, and after a failure that Stripe stored with the key, each
 * attempt has a new key.
 */
export function keyOf(
  step: string,
  recordId: string,
  { attempts, isSearched }: Pick<Report, 'attempts' | 'isSearched'>,
): string {
  return isSearched ? `${step}-${recordId}-${attempts}` : `${step}-${recordId}`
}
