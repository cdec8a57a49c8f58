import { expect } from 'vitest'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { type DayClose, dayClose } from '#contracts/payments/day-close.ts'
import { paymentMethodNames } from '#domain/money/payment-method-names.ts'
import { receiptSums } from '#domain/payments/receipt-sums.ts'
import {
  paymentColumns,
  listPayments,
  listRefunds,
  refundColumns,
} from '#server/features/accountant/list-ledger.ts'
import { idOf } from '#server/features/payments/stripe.ts'
import { type Columns, streamCsv } from '#domain/text/csv.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import type { PaymentApp } from './payment-app.ts'

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0)

const methods = ['cash', 'card_terminal', 'card_online', 'check', 'other'] as const
type ByMethod = Readonly<Record<(typeof methods)[number], number>>
type Moved = { readonly kind: string; readonly method: string; readonly amountCents: number }

/**
 * Returns the sum, in cents, of the payments minus the refunds and reversals among the given ledger lines, by payment
 * method.
 */
export function receivedBy(lines: readonly Moved[]): ByMethod {
  const moved = lines.filter(({ kind }) => ['payment', 'refund', 'reversal'].includes(kind))
  const of = (method: string) =>
    sum(moved.filter((line) => line.method === method).map(({ amountCents }) => amountCents))
  return Object.fromEntries(methods.map((method) => [method, of(method)])) as ByMethod
}

/** Returns by how much the received amount of each payment method changed from `before` to `after`. */
export const changeOf = (before: ByMethod, after: ByMethod): ByMethod =>
  Object.fromEntries(methods.map((method) => [method, after[method] - before[method]])) as ByMethod

/** Reads the amounts that the Today page and the day close show for today's payments. */
export async function readDay(shop: PaymentApp) {
  const today = await askAdmin<{
    payments: { receivedCents: number; methods: { method: string; cents: number }[] }
    ledger_differences: { invoiceId: string }[]
    undecided_deposits: { estimateId: string; heldCents: number }[]
    day: string
  }>(shop, 'public.read_today()')
  const { today: day } = await askAdmin<{ today: string }>(shop, `public.list_invoices('all', 1)`)
  const close: DayClose = dayClose.parse(await askAdmin(shop, 'public.read_day_close($1)', [day]))
  const shown = (method: string) =>
    today.payments.methods.find((known) => known.method === method)?.cents ?? 0
  return {
    day,
    receivedCents: today.payments.receivedCents,
    onToday: Object.fromEntries(methods.map((method) => [method, shown(method)])) as ByMethod,
    inClose: Object.fromEntries(
      methods.map((method) => [method, close.methods[method].cents]),
    ) as ByMethod,
    drawerCents: close.cash.changeCents,
    differences: today.ledger_differences.map(({ invoiceId }) => invoiceId),
    undecided: new Map(
      today.undecided_deposits.map(({ estimateId, heldCents }) => [estimateId, heldCents]),
    ),
  }
}

/**
 * Compares the amounts of an invoice with its ledger lines, the invoice list, the invoice at Stripe, its receipts and
 * the files for the accountant.
 */
export async function compareInvoice(shop: PaymentApp, invoice: InvoiceDetail): Promise<void> {
  const { id, totalCents, paidCents, balanceCents, state, ledger, creditNotes } = invoice
  const credited = sum(creditNotes.map(({ amountCents }) => amountCents))
  const replaced = sum(invoice.replacements.map(({ amountCents }) => amountCents))
  expect({ paidCents }).toEqual({ paidCents: sum(ledger.map(({ amountCents }) => amountCents)) })
  const due = state === 'void' ? 0 : totalCents - credited - paidCents - replaced
  expect({ balanceCents }).toEqual({ balanceCents: Math.max(due, 0) })
  // The shop owes a customer money only after failed refunds. If several refunds failed, staff may repeat them in any
  // order.
  const owedCents = Math.max(-due, 0)
  const retryCents = ledger.map((line) => line.retryCents).filter((cents) => cents > 0)
  expect({ owedCents, covered: Math.min(sum(retryCents), owedCents) }).toEqual({
    owedCents,
    covered: owedCents,
  })
  for (const cents of retryCents) expect(cents).toBeLessThanOrEqual(owedCents)
  const listed = await askAdmin(shop, 'public.read_listed_invoice($1)', [id])
  expect(listed).toMatchObject({ paidCents, balanceCents, state })
  expect(await readUnpaid(shop, id)).toEqual(
    ['open', 'part_paid'].includes(state) ? [{ paidCents, balanceCents }] : [],
  )
  const atStripe = await shop.stripe.invoices.retrieve(id)
  expect({ remaining: state === 'void' ? 0 : atStripe.amount_remaining }).toEqual({
    remaining: balanceCents,
  })
  const { data: notes } = await shop.stripe.creditNotes.list({ invoice: id, limit: 100 })
  expect({ notes: sum(notes.map(({ amount }) => amount)) }).toEqual({ notes: credited })
  expect(await inFiles(shop, invoice.number ?? '')).toEqual(
    receivedBy(ledger.filter(({ kind }) => kind !== 'applied_deposit')),
  )
}

/**
 * Reads the paid amount and the balance that an invoice adds to the sums on the Today page and above the invoice list;
 * empty unless the invoice is outstanding.
 */
async function readUnpaid(shop: PaymentApp, id: string) {
  const { rows } = await shop.database.owner.query<{ paidCents: number; balanceCents: number }>(
    `select paid_cents::integer as "paidCents", balance_cents::integer as "balanceCents"
     from internal.unpaid_invoices() where invoice_id = $1`,
    [id],
  )
  return rows
}

/** Reads the balance that the receipt of a payment currently shows. */
export async function receiptBalance(shop: PaymentApp, paymentId: string): Promise<number> {
  const { rows: lines } = await shop.database.owner.query<{
    id: string
    kind: string
    original_id: string | null
    amount_cents: number
    paid_at: string
    recorded_at: string
  }>(
    `select id, kind, original_id, amount_cents, paid_at::text, recorded_at::text from public.payments
     where invoice_id = (select invoice_id from public.payments where id = $1)`,
    [paymentId],
  )
  const { rows: reductions } = await shop.database.owner.query<{ cents: number; at: string }>(
    `select amount_cents::integer as cents, created_at::text as at from public.credit_notes
     where invoice_id = (select invoice_id from public.payments where id = $1)
     union all
     select amount_cents::integer, requested_at::text from public.replacement_invoices
     where original_invoice_id = (select invoice_id from public.payments where id = $1)`,
    [paymentId],
  )
  const { rows: totals } = await shop.database.owner.query<{ cents: number }>(
    `select total_cents::integer as cents from public.invoices
     where invoice_id = (select invoice_id from public.payments where id = $1)`,
    [paymentId],
  )
  const payment = lines.find(({ id }) => id === paymentId)
  if (!payment) throw new Error('The payment is not in the ledger')
  return receiptSums(lines, payment, { totalCents: totals[0]?.cents ?? 0, reductions }).balanceCents
}

/**
 * Computes the amount that Stripe still holds from the online payments for the given invoices and estimate: the charges
 * minus the succeeded refunds and the lost disputes.
 */
export async function keptByStripe(
  shop: PaymentApp,
  ids: readonly string[],
  estimateId?: string,
): Promise<number> {
  const { rows } = await shop.database.owner.query<{ intent: string }>(
    `select payment_intent_id as intent from public.payments
     where payment_intent_id is not null and (invoice_id = any ($1) or estimate_id = $2)`,
    [ids, estimateId ?? null],
  )
  let kept = 0
  for (const { intent } of rows) {
    const { latest_charge: latest } = await shop.stripe.paymentIntents.retrieve(intent)
    const charge = await shop.stripe.charges.retrieve(idOf(latest))
    const { data: refunds } = await shop.stripe.refunds.list({ payment_intent: intent, limit: 100 })
    const returned = sum(
      refunds.filter(({ status }) => status !== 'failed').map(({ amount }) => amount),
    )
    const { data: disputes } = await shop.stripe.disputes.list({ payment_intent: intent })
    const isLost = disputes.some(({ status }) => status === 'lost')
    kept += isLost ? 0 : charge.amount - returned
  }
  return kept
}

/**
 * Reads the amounts that the exported files of payments and refunds list for an invoice or an estimate, by payment
 * method.
 */
export async function inFiles(shop: PaymentApp, number: string): Promise<ByMethod> {
  const range = { from: '2020-01-01', to: '2039-12-31' }
  const rows = [
    ...(await rowsOf(paymentColumns, listPayments(shop.context, range))),
    ...(await rowsOf(refundColumns, listRefunds(shop.context, range))),
  ].filter((row) => row['Invoice'] === number)
  const of = (name: string) =>
    sum(
      rows
        .filter((row) => row['Method'] === name)
        .map((row) => Number((row['Amount (USD)'] ?? '').replace('.', ''))),
    )
  return Object.fromEntries(
    methods.map((method) => [method, of(paymentMethodNames[method])]),
  ) as ByMethod
}

async function rowsOf<Row>(
  columns: Columns<Row>,
  pages: AsyncIterable<Row[]>,
): Promise<Record<string, string>[]> {
  const text = (await Array.fromAsync(streamCsv(columns, pages))).join('')
  const [head = [], ...rows] = text
    .replace(/^\u{feff}/u, '')
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) =>
        String(quoted ?? plain),
      ),
    )
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])))
}

async function askAdmin<Answer>(
  shop: PaymentApp,
  sql: string,
  values: unknown[] = [],
): Promise<Answer> {
  const [row] = await shop.database.database.transaction(admin, (query) =>
    query.unchecked<{ result: Answer }>(`select ${sql} as result`, values),
  )
  if (!row) throw new Error(`${sql} returned no row`)
  return row.result
}
