import { type Query, rowsAs } from '@local/postgres'

/** An online card payment and its outcome: a row of the table `public.payments`. */
export type LedgerEntry = {
  readonly invoiceId: string
  readonly paymentIntentId: string
  readonly checkoutSessionId: string | null
  readonly amountCents: number
  readonly overpaidCents: number
  readonly currency: string
  readonly outcome: 'applied' | 'overpaid' | 'refunded'
  readonly refundId: string | null
  /** The time of the payment in seconds since 1970. */
  readonly paidAt: number
}

/**
 * Records an online payment, and the refund or the credit that resulted from the payment, in the ledger. Returns false
 * when the payment is already recorded.
 */
export async function recordPayment(query: Query, entry: LedgerEntry): Promise<boolean> {
  const { outcome: _outcome, ...payment } = entry
  const [row] = await query('select internal.record_online_payment($1) as "isNew"', [
    JSON.stringify(payment),
  ])
  return row?.isNew === true
}

/** Returns the recorded outcome of a payment; undefined when the payment is not recorded. */
export async function outcomeOf(
  query: Query,
  paymentIntentId: string,
): Promise<LedgerEntry['outcome'] | undefined> {
  const [row] = rowsAs<{ outcome: LedgerEntry['outcome'] }>(
    await query(
      `select internal.payment_outcome(payment) as outcome from public.payments payment
       where payment.payment_intent_id = $1`,
      [paymentIntentId],
    ),
  )
  return row?.outcome
}

/** A recorded online payment of an invoice. */
export type RecordedPayment = {
  readonly paymentIntentId: string
  readonly overpaidCents: number
  readonly outcome: LedgerEntry['outcome']
}

/** Returns the online payments of an invoice, including an online deposit that was applied to the invoice. */
export async function paymentsOf(query: Query, invoiceId: string): Promise<RecordedPayment[]> {
  return rowsAs<RecordedPayment>(
    await query(
      `select coalesce(payment.payment_intent_id, '') as "paymentIntentId", internal.payment_outcome(payment) as outcome,
         coalesce((select -sum(credit.amount_cents) from public.payments credit
           where credit.original_id = payment.id and credit.kind = 'customer_credit'), 0)::integer as "overpaidCents"
       from public.payments payment where payment.payment_intent_id is not null and (payment.invoice_id = $1
         or payment.id in (select applied.original_id from public.payments applied
           where applied.invoice_id = $1 and applied.kind = 'applied_deposit'))`,
      [invoiceId],
    ),
  )
}

/** Returns the Stripe payment ids in `paymentIntentIds` that the ledger does not contain. */
export async function missingFromLedger(
  query: Query,
  paymentIntentIds: readonly string[],
): Promise<Set<string>> {
  const rows = rowsAs<{ id: string }>(
    await query(
      `select wanted.id from unnest($1::text[]) as wanted (id)
     where not exists (select from public.payments where payment_intent_id = wanted.id)`,
      [paymentIntentIds],
    ),
  )
  return new Set(rows.map((row) => row.id))
}
