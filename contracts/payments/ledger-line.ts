/**
 * The method by which money was paid or returned. With `other`, the reference of the line names the method, for example
 * a bank transfer.
 */
export type PaymentMethod = 'card_terminal' | 'cash' | 'check' | 'other' | 'card_online'

/** One line of the ledger, as stored in `public.payments`. */
export type LedgerLine = {
  readonly id: string
  /** The id of the invoice to which the ledger line belongs; null for the deposit of an estimate. */
  readonly invoice_id: string | null
  /**
   * The kind of the ledger line. payment: the shop received money. refund: the shop returned money to the customer.
   * reversal: cancels a line that was wrong or whose money never arrived. customer_credit: the part of an overpayment
   * that the customer keeps as credit. cash_rounding: the difference between the exact and the rounded cash amount.
   * applied_deposit: the part of the invoice that the deposit of the estimate pays; no money moves.
   */
  readonly kind:
    | 'payment'
    | 'refund'
    | 'reversal'
    | 'customer_credit'
    | 'cash_rounding'
    | 'applied_deposit'
  readonly method: PaymentMethod
  /** The id of the payment to which a refund, a reversal or another kind of ledger line belongs. */
  readonly original_id: string | null
  /** The amount that the ledger line adds to the paid amount of the invoice; negative for returned money. */
  readonly amount_cents: number
  readonly currency: string
  readonly reference: string | null
  readonly note: string | null
  /** The staff account that recorded the ledger line; null for a payment that Stripe reported. */
  readonly recorded_by_name: string | null
  readonly paid_at: string
  readonly recorded_at: string
}
