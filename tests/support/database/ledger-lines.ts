import { randomUUID } from 'node:crypto'
import { asServer } from '#server/platform/database/identities.ts'
import { admin } from './database-fixtures.ts'
import type { TestDatabase } from './database.ts'
import { setShopClock } from './shop-clock.ts'

type CounterPayment = {
  readonly invoiceId: string
  readonly amountCents: number
  readonly method?: string
  readonly reference?: string
}

/** Records a payment that staff received at the counter at the given instant; returns the id of the ledger line. */
export async function takePayment(
  { database, owner }: TestDatabase,
  at: string,
  { invoiceId, method = 'cash', amountCents, reference }: CounterPayment,
): Promise<string> {
  await setShopClock(owner, at)
  const [row] = await database.transaction(admin, (query) =>
    query.unchecked<{ taken: { paymentId: string } }>(
      'select public.take_payment($1, $2, $3, null, $4, null) as taken',
      [invoiceId, method, amountCents, reference ?? null],
    ),
  )
  if (!row) throw new Error('take_payment returned no row')
  return row.taken.paymentId
}

type OnlinePayment = {
  readonly invoiceId: string
  readonly amountCents: number
  readonly currency?: string
  readonly overpaidCents?: number
  /** The id of Stripe's refund of the whole payment. */
  readonly refundId?: string
}

/**
 * Records an online payment that Stripe reported, optionally with an overpaid amount or a refund; returns the id of the
 * payment's ledger line.
 */
export async function recordOnlinePayment(
  { database, owner }: TestDatabase,
  at: string,
  payment: OnlinePayment,
): Promise<string> {
  const paymentIntentId = `pi_${randomUUID()}`
  const reported = { currency: 'usd', ...payment, paymentIntentId, paidAt: Date.parse(at) / 1000 }
  await database.transaction(asServer, (query) =>
    query.unchecked('select internal.record_online_payment($1)', [JSON.stringify(reported)]),
  )
  const { rows } = await owner.query<{ id: string }>(
    'select id from public.payments where payment_intent_id = $1',
    [paymentIntentId],
  )
  if (!rows[0]) throw new Error('record_online_payment recorded nothing')
  return rows[0].id
}

type FollowingLine = {
  readonly kind: 'refund' | 'reversal' | 'customer_credit' | 'cash_rounding'
  readonly method: string
  readonly cents: number
  readonly reference?: string
}

/**
 * Adds a ledger line about an earlier payment or refund, such as the reversal of a payment; returns the id of the new
 * line.
 */
export async function addFollowingLine(
  { owner }: TestDatabase,
  originalId: string,
  at: string,
  { kind, method, cents, reference }: FollowingLine,
): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `insert into public.payments (invoice_id, currency, original_id, paid_at, kind, method, amount_cents, reference, recorded_by_name)
     select invoice_id, currency, id, $2, $3, $4, $5, $6, 'ana' from public.payments where id = $1 returning id`,
    [originalId, at, kind, method, cents, reference ?? null],
  )
  if (!rows[0]) throw new Error('The line has no original')
  return rows[0].id
}
