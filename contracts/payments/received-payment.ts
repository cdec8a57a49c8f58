/** A payment received online, as the ledger keeps it (`public.payments`). */
export type ReceivedPayment = {
  readonly id: string
  readonly invoice_id: string
  readonly amount_cents: number
  readonly overpaid_cents: number
  readonly currency: string
  /** applied: it paid the invoice; overpaid: and more than was due; refunded: it had been paid already. */
  readonly outcome: 'applied' | 'overpaid' | 'refunded'
  readonly paid_at: string
}
