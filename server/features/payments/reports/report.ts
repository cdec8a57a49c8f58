/** A change to report to Stripe, such as a payment or a refund (`internal.stripe_reports`). */
export type Report = {
  readonly id: string
  readonly kind: 'payment' | 'credit_note' | 'void' | 'write_off' | 'refund' | 'deposit_refund'
  /** The Stripe id of the invoice; null for the refund of a deposit. */
  readonly invoiceId: string | null
  /** The Stripe id of the created payment record, payment, credit note or refund; null until Stripe has created it. */
  readonly stripeId: string | null
  readonly attempts: number
  /**
   * Whether the job first searches Stripe for the result of an earlier attempt. The idempotency key alone does not
   * suffice: the key may have expired (24 hours), or Stripe may return a stored failure for the key.
   */
  readonly isSearched: boolean
}

/** A change of an invoice to report to Stripe. */
export type InvoiceReport = Report & { readonly invoiceId: string }

/**
 * Returns the idempotency key of a Stripe call. After a day, and after a failure that Stripe stored for the key,
 * each attempt uses a new key.
 */
export function keyOf(
  step: string,
  recordId: string,
  { attempts, isSearched }: Pick<Report, 'attempts' | 'isSearched'>,
): string {
  return isSearched ? `${step}-${recordId}-${attempts}` : `${step}-${recordId}`
}
