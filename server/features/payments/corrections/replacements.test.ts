import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { invoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { invoiceList } from '#contracts/invoices/invoice-list.ts'
import { closeDispute, openDispute } from '@local/stripe-sandbox/testing/disputes'
import { failRefund } from '@local/stripe-sandbox/testing/refund-outcomes'
import { testAdmin } from '#tests/support/app/app.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { idOf } from '../stripe.ts'
import { makeReplacements } from '../reports/make-replacements.ts'
import { reportToStripe } from '../reports/report-to-stripe.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
})
beforeEach(() => shop.post('/api/admin/confirm-password', { password: testAdmin.password }))
afterEach(() => shop.breakCalls(undefined))
afterAll(() => shop.close())

const full = 40_700
type Input = Record<string, unknown>
type Response = { status: number; body: Record<string, unknown> }

const run = (name: string, input: Input) =>
  shop.post(`/api/commands/${name}`, { commandId: randomUUID(), input })
const hintOf = ({ body }: Response) => (body['cause'] as { hint?: string } | undefined)?.hint
const resultOf = ({ body }: Response) => body['result'] as Record<string, unknown>
const askAdmin = async (sql: string, values: unknown[]): Promise<unknown> => {
  const [row] = await shop.database.database.transaction(admin, (query) =>
    query.unchecked<{ result: unknown }>(`select ${sql} as result`, values),
  )
  return row?.result
}
const read = async (id: string) =>
  invoiceDetail.parse(await askAdmin('public.read_invoice($1)', [id]))
const readCounts = async () =>
  invoiceList.parse(await askAdmin('public.list_invoices($1, 500)', ['all'])).counts
const linesOf = async (id: string) =>
  (await read(id)).ledger.map(({ kind, method, amountCents }) => [kind, method, amountCents])

/**
 * Runs the job that reports payments and corrections to Stripe, and the job that creates replacement invoices. Returns
 * the failures of both jobs.
 */
async function runJobs(): Promise<unknown[]> {
  const failures: unknown[] = []
  await reportToStripe(shop.context, (_id, error) => failures.push(error))
  await makeReplacements(shop.context, (_id, error) => failures.push(error))
  return failures
}

async function makeInvoice(): Promise<string> {
  const email = `${randomUUID()}@example.com`
  return (await shop.createInvoice({ customer: { name: 'Dana', email, phone: '' } })).id
}

const take = (invoiceId: string, change: Input = {}) =>
  run('take-payment', {
    invoiceId,
    method: 'check',
    amountCents: full,
    givenCents: null,
    reference: '1042',
    note: null,
    sendsReceipt: false,
    ...change,
  })

/** Creates an invoice and pays it by check at the counter. */
async function paidByCheck(change: Input = {}) {
  const id = await makeInvoice()
  const taken = await take(id, change)
  expect(taken.status).toBe(200)
  return { id, paymentId: resultOf(taken)['paymentId'] }
}

async function paidByCard() {
  const id = await makeInvoice()
  await shop.payByCard(await shop.checkout(id))
  await shop.deliverEvents()
  const [payment] = (await read(id)).ledger
  return { id, paymentId: payment?.id }
}

async function loseDispute(): Promise<void> {
  const [charge] = (await shop.stripe.charges.list({ limit: 1 })).data
  await closeDispute(shop.account, await openDispute(shop.account, charge?.id ?? ''), 'lost')
  await shop.deliverEvents()
}

const returnCheck = (paymentId: unknown) =>
  run('return-check', { paymentId, reason: 'Not enough funds' })

/** Returns the id of the only replacement invoice of an invoice. */
async function replacementOf(id: string): Promise<string> {
  const { replacements } = await read(id)
  expect(replacements).toHaveLength(1)
  return replacements[0]?.invoiceId ?? ''
}

describe('a returned check', () => {
  it('that was not reported to Stripe yet makes its amount due again on the same invoice', async () => {
    const { id, paymentId } = await paidByCheck()
    expect(resultOf(await returnCheck(paymentId))).toEqual({ balanceCents: full })
    expect(await runJobs()).toEqual([])
    expect(await linesOf(id)).toEqual([
      ['payment', 'check', full],
      ['reversal', 'check', -full],
    ])
    expect(await read(id)).toMatchObject({
      state: 'open',
      balanceCents: full,
      replacements: [],
      ledger: [{ reportState: 'reversed' }, { cause: 'returned_check', note: 'Not enough funds' }],
    })
    expect((await take(id, { method: 'cash', reference: null })).status).toBe(200)
    expect(await runJobs()).toEqual([])
    expect((await shop.stripe.invoices.retrieve(id)).status).toBe('paid')
  })

  it('that was already reported to Stripe makes its amount due on a replacement invoice, which can be paid online', async () => {
    const { id, paymentId } = await paidByCheck()
    await runJobs()
    const before = await readCounts()
    await returnCheck(paymentId)
    // Until the replacement invoice exists, the original invoice accepts no payment.
    expect(await read(id)).toMatchObject({
      balanceCents: full,
      replacements: [{ invoiceId: null }],
      can: { takePayment: false, cancel: false },
    })
    expect(hintOf(await take(id))).toBe('above_balance')
    expect(await runJobs()).toEqual([])
    const replacement = await replacementOf(id)
    const first = await read(id)
    const second = await read(replacement)
    expect(first).toMatchObject({ state: 'replaced', balanceCents: 0, can: { cancel: false } })
    expect(second).toMatchObject({
      state: 'open',
      totalCents: full,
      balanceCents: full,
      taxCents: 0,
      customerId: first.customerId,
      replaces: { invoiceId: id, number: first.number },
    })
    // The total that customers owe contains the amount of the returned check only once.
    const after = await readCounts()
    expect([after.open - before.open, after.openCents - before.openCents]).toEqual([1, full])
    await shop.payByCard(await shop.checkout(replacement))
    await shop.deliverEvents()
    expect(await read(replacement)).toMatchObject({ state: 'paid', balanceCents: 0 })
    expect(await read(id)).toMatchObject({ state: 'replaced', balanceCents: 0 })
  })

  it('that paid part of an invoice causes a replacement invoice, and the customer owes the total amount only once', async () => {
    const { id, paymentId } = await paidByCheck({ amountCents: 10_000 })
    await runJobs()
    await returnCheck(paymentId)
    expect(await runJobs()).toEqual([])
    const first = await read(id)
    expect(first).toMatchObject({ state: 'open', balanceCents: full - 10_000 })
    expect(await read(await replacementOf(id))).toMatchObject({ balanceCents: 10_000 })
    const customer = await askAdmin('public.read_customer($1)', [first.customerId])
    expect(customer).toMatchObject({ totals: { openCents: full, paidCents: 0 } })
  })

  it('is recorded once, and is refused for a cash payment', async () => {
    const { id, paymentId } = await paidByCheck()
    const both = await Promise.all([returnCheck(paymentId), returnCheck(paymentId)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect(await linesOf(id)).toHaveLength(2)
    const cash = await paidByCheck({ method: 'cash', reference: null })
    expect(hintOf(await returnCheck(cash.paymentId))).toBe('not_correctable')
  })

  it('gets exactly one replacement invoice even if any call to Stripe fails', async () => {
    const probe = await paidByCheck()
    await runJobs()
    await returnCheck(probe.paymentId)
    shop.drainCalls()
    await runJobs()
    const calls = shop.drainCalls().length
    expect(calls).toBeGreaterThan(3)
    for (let index = 0; index < calls; index += 1) {
      for (const timing of ['before', 'after'] as const) {
        const { id, paymentId } = await paidByCheck()
        await runJobs()
        await returnCheck(paymentId)
        let count = -1
        shop.breakCalls(() => ((count += 1) === index ? timing : undefined))
        await runJobs()
        shop.breakCalls(undefined)
        await shop.database.owner.query(
          'update public.replacement_invoices set next_attempt_at = now()',
        )
        await runJobs()
        const replacement = await read(await replacementOf(id))
        const { customer } = await shop.stripe.invoices.retrieve(replacement.id)
        const made = await shop.stripe.invoices.list({ customer: idOf(customer), limit: 100 })
        const finals = made.data.filter(({ status }) => status !== 'draft')
        expect({ index, timing, finals: finals.length }).toEqual({ index, timing, finals: 2 })
        expect(await read(id)).toMatchObject({ state: 'replaced', balanceCents: 0 })
      }
    }
  }, 120_000)
})

describe('an amount that Stripe counts as paid although the shop did not receive the money', () => {
  it('becomes due on a replacement invoice after a lost dispute', async () => {
    const { id } = await paidByCard()
    await loseDispute()
    expect(await runJobs()).toEqual([])
    const replacement = await read(await replacementOf(id))
    expect(replacement).toMatchObject({ state: 'open', balanceCents: full })
    expect((await read(id)).ledger[1]).toMatchObject({ cause: 'lost_dispute' })
  })

  it('becomes due on a replacement invoice when staff lower the amount of a reported payment', async () => {
    const { id, paymentId } = await paidByCheck({ method: 'cash', reference: null })
    await runJobs()
    const corrected = await run('correct-payment', {
      paymentId,
      invoiceId: id,
      method: 'cash',
      amountCents: 40_000,
      reference: null,
      reason: 'Counted again.',
    })
    expect(corrected.status).toBe(200)
    expect(await runJobs()).toEqual([])
    expect(await read(await replacementOf(id))).toMatchObject({ balanceCents: 700 })
    expect(await read(id)).toMatchObject({ state: 'replaced', balanceCents: 0, paidCents: 40_000 })
  })
})

describe('a refund that failed at the payment provider', () => {
  /** Creates a card payment whose refund of $100 failed at the bank. Returns the invoice and the failed refund. */
  async function failedRefund() {
    const { id, paymentId } = await paidByCard()
    const refunded = await run('refund-payment', {
      paymentId,
      amountCents: 10_000,
      partKeys: null,
      method: null,
      reference: null,
      reason: 'The part came back.',
      notifies: false,
    })
    expect(refunded.status).toBe(200)
    expect(await runJobs()).toEqual([])
    const [made] = (await shop.stripe.refunds.list({ limit: 1 })).data
    await failRefund(shop.account, made?.id ?? '')
    await shop.deliverEvents()
    const failed = (await read(id)).ledger.find(({ kind }) => kind === 'refund')
    expect(failed).toMatchObject({ retryCents: 10_000 })
    return { id, refundId: failed?.id }
  }
  const retry = (refundId: unknown, change: Input = {}) =>
    run('retry-refund', { refundId, method: null, reference: null, ...change })

  it('can be retried to the same card, only once and without a second credit note', async () => {
    const { id, refundId } = await failedRefund()
    expect(resultOf(await retry(refundId))).toEqual({ refundCents: 10_000 })
    expect(hintOf(await retry(refundId))).toBe('not_correctable')
    expect(await runJobs()).toEqual([])
    const invoice = await read(id)
    expect(invoice).toMatchObject({ state: 'part_refunded', paidCents: full - 10_000 })
    expect(invoice.creditNotes).toHaveLength(1)
    expect(invoice.ledger.at(-1)).toMatchObject({ kind: 'refund', reportState: 'reported' })
    const [latest] = (await shop.stripe.refunds.list({ limit: 1 })).data
    expect(latest).toMatchObject({ amount: 10_000, status: 'succeeded' })
    expect(latest?.metadata?.['payment_id']).toBe(invoice.ledger.at(-1)?.id)
  })

  it('can be retried by check, which is not reported to Stripe', async () => {
    const { id, refundId } = await failedRefund()
    expect((await retry(refundId, { method: 'check', reference: '2207' })).status).toBe(200)
    expect(await runJobs()).toEqual([])
    expect((await linesOf(id)).at(-1)).toEqual(['refund', 'check', -10_000])
    expect(await read(id)).toMatchObject({ balanceCents: 0, paidCents: full - 10_000 })
  })
})
