import { type Query, rowsAs } from '@local/postgres'

/** A received payment and its outcome; see the table `public.payments`. */
export type LedgerEntry = {
  readonly invoiceId: string
  readonly invoiceNumber: string | null
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

/** Inserts a payment once; returns false when it is recorded already. */
export async function recordPayment(query: Query, entry: LedgerEntry): Promise<boolean> {
  const rows = await query(
    `insert into public.payments (invoice_id, invoice_number, payment_intent_id, checkout_session_id,
       amount_cents, overpaid_cents, currency, outcome, refund_id, paid_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, to_timestamp($10))
     on conflict (payment_intent_id) do nothing returning id`,
    [
      entry.invoiceId,
      entry.invoiceNumber,
      entry.paymentIntentId,
      entry.checkoutSessionId,
      entry.amountCents,
      entry.overpaidCents,
      entry.currency,
      entry.outcome,
      entry.refundId,
      entry.paidAt,
    ],
  )
  return rows.length > 0
}

/** Returns the outcome of a payment; undefined when it is not recorded. */
export async function outcomeOf(
  query: Query,
  paymentIntentId: string,
): Promise<LedgerEntry['outcome'] | undefined> {
  const [row] = await query('select outcome from public.payments where payment_intent_id = $1', [
    paymentIntentId,
  ])
  return row?.outcome
}

/** A recorded payment of an invoice. */
export type RecordedPayment = {
  readonly paymentIntentId: string
  readonly overpaidCents: number
  readonly outcome: LedgerEntry['outcome']
}

export function paymentsOf(query: Query, invoiceId: string): Promise<RecordedPayment[]> {
  return query(
    `select payment_intent_id as "paymentIntentId", overpaid_cents as "overpaidCents", outcome
     from public.payments where invoice_id = $1`,
    [invoiceId],
  )
}

/** Returns those of the given payments that are not recorded. */
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
