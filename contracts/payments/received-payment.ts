/** A payment received online, as stored in `public.payments`. */
export type ReceivedPayment = {
  readonly id: string
  readonly invoice_id: string
  readonly amount_cents: number
  readonly overpaid_cents: number
  readonly currency: string
  /**
   * The outcome of the payment. applied: it paid the invoice. overpaid: it paid more than was due. refunded: it was
   * refunded, because the invoice was already paid.
   */
  readonly outcome: 'applied' | 'overpaid' | 'refunded'
  readonly paid_at: string
}
