import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { TestDatabase } from './database.ts'
import { addFollowingLine, recordOnlinePayment, takePayment } from './ledger-lines.ts'

/** The days are October 30 to November 3, 2026 in shop time. Daylight saving time ends on November 1. */
const instant = fc.oneof(
  fc
    .integer({ min: 0, max: 121 * 3600 - 1 })
    .map((seconds) => new Date(Date.parse('2026-10-30T07:00:00Z') + seconds * 1000).toISOString()),
  // On two days: the last second before midnight in shop time, and midnight itself.
  fc.constantFrom(
    '2026-10-31T06:59:59Z',
    '2026-10-31T07:00:00Z',
    '2026-11-02T07:59:59Z',
    '2026-11-02T08:00:00Z',
  ),
)
// Most random payments are in cash, and most shares are 1, because only a cash payment of the whole balance is rounded.
const counterMethod = fc.constantFrom('cash', 'cash', 'cash', 'card_terminal', 'check', 'other')
const share = fc.oneof(
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 2, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
)

/**
 * One step of a history, such as a payment or a refund. `share` is a fraction (0 to 1) of the balance, or of the
 * unrefunded amount of a payment.
 */
const step = fc.oneof(
  fc.record({ does: fc.constant('pay' as const), method: counterMethod, share, at: instant }),
  fc.record({
    does: fc.constant('payOnline' as const),
    cents: fc.integer({ min: 1, max: 50_000 }),
    follows: fc.constantFrom('nothing', 'credit', 'refund'),
    at: instant,
  }),
  fc.record({ does: fc.constant('failRefund' as const), nth: fc.nat(1), at: instant }),
  fc.record({
    does: fc.constant('return' as const),
    kind: fc.constantFrom('refund' as const, 'reversal' as const),
    method: counterMethod,
    nth: fc.nat(3),
    share,
    at: instant,
  }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/**
 * Any history of the payments of one invoice: with all payment methods, refunds, reversals, credits and cash rounding.
 */
export const anyLedgerHistory = fc.record({
  totalCents: fc.integer({ min: 1, max: 100_000 }),
  currency: fc.constantFrom('usd', 'usd', 'usd', 'eur'),
  roundsCash: fc.constantFrom(true, true, false),
  steps: fc.array(step, { minLength: 3, maxLength: 16 }),
})
export type LedgerHistory =
  typeof anyLedgerHistory extends fc.Arbitrary<infer Value> ? Value : never

const wholeInCash = { method: 'cash', share: 1 } as const

/**
 * A history with a ledger line of every kind. One rounded payment is refunded, and another rounded payment is reversed.
 */
export const historyOfEveryKind: LedgerHistory = {
  totalCents: 902,
  currency: 'usd',
  roundsCash: true,
  steps: [
    { does: 'pay', method: 'cash', share: 1, at: '2026-10-30T19:00:00Z' },
    { does: 'return', ...wholeInCash, kind: 'refund', nth: 0, at: '2026-10-31T19:00:00Z' },
    { does: 'payOnline', cents: 1000, follows: 'credit', at: '2026-11-01T19:00:00Z' },
    { does: 'return', ...wholeInCash, kind: 'reversal', nth: 0, at: '2026-11-02T20:00:00Z' },
    { does: 'return', ...wholeInCash, kind: 'reversal', nth: 1, at: '2026-11-02T20:00:00Z' },
  ],
}

/** Runs the steps of a history on a new invoice. */
export async function playLedgerHistory(
  shop: TestDatabase,
  { totalCents, currency, roundsCash, steps }: LedgerHistory,
): Promise<void> {
  const invoice = { id: `in_${randomUUID()}`, currency }
  await shop.owner.query('update public.booking_rules set rounds_cash = $1', [roundsCash])
  await shop.owner.query(
    `insert into public.invoices (invoice_id, number, customer_name, total_cents, currency, status, created_at)
     values ($1, $1, 'Whitfield, Dana', $2, $3, 'open', now())`,
    [invoice.id, totalCents, currency],
  )
  for (const next of steps) await take(shop, invoice, next)
}

async function take(
  shop: TestDatabase,
  invoice: { id: string; currency: string },
  next: Step,
): Promise<void> {
  if (next.does === 'pay') return payAtCounter(shop, invoice.id, next)
  if (next.does === 'failRefund') return failRefund(shop, invoice.id, next)
  if (next.does === 'return') return giveBack(shop, invoice.id, next)
  const { cents, follows, at } = next
  await recordOnlinePayment(shop, at, {
    invoiceId: invoice.id,
    amountCents: cents,
    currency: invoice.currency,
    ...(follows === 'credit' && { overpaidCents: Math.ceil(cents / 3) }),
    ...(follows === 'refund' && { refundId: `re_${randomUUID()}` }),
  })
}

async function payAtCounter(
  shop: TestDatabase,
  invoiceId: string,
  { method, share: part, at }: Extract<Step, { does: 'pay' }>,
): Promise<void> {
  const { rows } = await shop.owner.query<{ balance: string }>(
    'select internal.invoice_balance_cents(invoice) as balance from public.invoices invoice where invoice_id = $1',
    [invoiceId],
  )
  const amountCents = Math.ceil(Number(rows[0]?.balance) * part)
  if (amountCents > 0)
    await takePayment(shop, at, { invoiceId, method, amountCents, reference: '1042' })
}

/** Refunds or reverses a part of a payment. If the step returns the whole payment, also reverses its cash rounding. */
async function giveBack(
  shop: TestDatabase,
  invoiceId: string,
  { kind, method, nth, share: part, at }: Extract<Step, { does: 'return' }>,
): Promise<void> {
  const { rows } = await shop.owner.query<{
    id: string
    method: string
    left: number
    rounding: number
  }>(
    `select payment.id, payment.method, internal.left_cents(payment)::integer as left,
       (select coalesce(sum(amount_cents), 0)::integer from public.payments
        where original_id = payment.id and kind = 'cash_rounding') as rounding
     from public.payments payment where invoice_id = $1 and kind = 'payment' order by id`,
    [invoiceId],
  )
  const payment = rows[nth % Math.max(rows.length, 1)]
  const cents = Math.ceil((payment?.left ?? 0) * part)
  if (!payment || cents === 0) return
  const way = kind === 'refund' ? method : payment.method
  await addFollowingLine(shop, payment.id, at, { kind, method: way, cents: -cents })
  if (part < 1 || payment.rounding === 0) return
  const rounding = { kind: 'cash_rounding', method: 'cash', cents: -payment.rounding } as const
  await addFollowingLine(shop, payment.id, at, rounding)
}

/** Reverses a refund that failed. */
async function failRefund(
  shop: TestDatabase,
  invoiceId: string,
  { nth, at }: Extract<Step, { does: 'failRefund' }>,
): Promise<void> {
  const { rows } = await shop.owner.query<{ id: string; method: string; cents: number }>(
    `select id, method, -amount_cents as cents from public.payments refund
     where invoice_id = $1 and kind = 'refund'
       and not exists (select from public.payments where original_id = refund.id) order by id`,
    [invoiceId],
  )
  const refund = rows[nth % Math.max(rows.length, 1)]
  if (!refund) return
  const { id, method, cents } = refund
  await addFollowingLine(shop, id, at, { kind: 'reversal', method, cents })
}
