import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { makeReplacements } from '../reports/make-replacements.ts'
import { reportToStripe } from '../reports/report-to-stripe.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
})
afterAll(() => shop.close())

const full = 40_700
type Input = Record<string, unknown>
type Response = { status: number; body: Record<string, unknown> }

const run = (name: string, input: Input) =>
  shop.post(`/api/commands/${name}`, { commandId: randomUUID(), input })
const hintOf = ({ body }: Response) =>
  (body['cause'] as { hint?: string } | undefined)?.hint ?? body['code']
const read = async (id: string) => {
  const [row] = await shop.database.database.transaction(admin, (query) =>
    query.unchecked<{ invoice: unknown }>('select public.read_invoice($1) as invoice', [id]),
  )
  return invoiceDetail.parse(row?.invoice)
}
const linesOf = async (id: string) =>
  (await read(id)).ledger.map(({ kind, method, amountCents }) => [kind, method, amountCents])
const remainingOf = async (id: string) => (await shop.stripe.invoices.retrieve(id)).amount_remaining

async function runJobs(): Promise<void> {
  const failures: unknown[] = []
  await reportToStripe(shop.context, (_id, error) => failures.push(error))
  await makeReplacements(shop.context, (_id, error) => failures.push(error))
  expect(failures).toEqual([])
}

async function makeInvoice(): Promise<string> {
  const email = `${randomUUID()}@example.com`
  return (await shop.createInvoice({ customer: { name: 'Dana', email, phone: '' } })).id
}

/** Creates two invoices and records a cash payment on the wrong one. */
async function paidWrongly(amountCents = full) {
  const [wrong, right] = [await makeInvoice(), await makeInvoice()]
  const taken = await run('take-payment', {
    invoiceId: wrong,
    method: 'cash',
    amountCents,
    givenCents: null,
    reference: null,
    note: null,
    sendsReceipt: false,
  })
  const { paymentId } = taken.body['result'] as { paymentId: string }
  return { wrong, right, paymentId }
}

const move = (paymentId: string, invoiceId: string, change: Input = {}) =>
  run('correct-payment', {
    paymentId,
    invoiceId,
    method: 'cash',
    amountCents: full,
    reference: null,
    reason: 'The other vehicle.',
    ...change,
  })

describe('a payment that was recorded on the wrong invoice', () => {
  it('is reversed on that invoice and recorded on the correct invoice if the payment was not reported to Stripe yet', async () => {
    const { wrong, right, paymentId } = await paidWrongly()
    expect((await move(paymentId, right)).body['result']).toEqual({ balanceCents: full })
    expect(await linesOf(wrong)).toEqual([
      ['payment', 'cash', full],
      ['reversal', 'cash', -full],
    ])
    expect(await linesOf(right)).toEqual([['payment', 'cash', full]])
    const { number } = await read(right)
    expect((await read(wrong)).ledger[1]).toMatchObject({
      cause: 'recorded_wrongly',
      note: `Belongs to invoice ${number}: The other vehicle.`,
    })
    await runJobs()
    expect(await read(wrong)).toMatchObject({ state: 'open', replacements: [] })
    expect(await read(right)).toMatchObject({ state: 'paid', balanceCents: 0 })
    expect([await remainingOf(wrong), await remainingOf(right)]).toEqual([full, 0])
  })

  it('is moved to the correct invoice, and the wrong invoice gets a replacement invoice, if the payment was already reported to Stripe', async () => {
    const { wrong, right, paymentId } = await paidWrongly()
    await runJobs()
    expect((await move(paymentId, right)).status).toBe(200)
    await runJobs()
    const first = await read(wrong)
    expect(first).toMatchObject({ state: 'replaced', balanceCents: 0 })
    expect(await read(first.replacements[0]?.invoiceId ?? '')).toMatchObject({
      state: 'open',
      balanceCents: full,
    })
    expect(await read(right)).toMatchObject({ state: 'paid', balanceCents: 0 })
    expect([await remainingOf(wrong), await remainingOf(right)]).toEqual([0, 0])
  })

  it('can get another payment method and a lower amount when it is moved', async () => {
    const { wrong, right, paymentId } = await paidWrongly()
    const change = { method: 'check', reference: '1042', amountCents: 10_000 }
    expect((await move(paymentId, right, change)).status).toBe(200)
    expect(await read(wrong)).toMatchObject({ balanceCents: full })
    expect(await linesOf(right)).toEqual([['payment', 'check', 10_000]])
    expect(await read(right)).toMatchObject({ state: 'part_paid', balanceCents: full - 10_000 })
  })

  it('is not moved if the correct invoice is unknown, void or has a lower balance', async () => {
    const { wrong, right, paymentId } = await paidWrongly()
    expect(hintOf(await move(paymentId, right, { amountCents: full + 1 }))).toBe('above_balance')
    expect(hintOf(await move(paymentId, 'in_unknown'))).toBe('invoice_not_found')
    await run('void-invoice', { invoiceId: right, reason: 'Made twice', notifies: false })
    expect(hintOf(await move(paymentId, right))).toBe('invoice_void')
    expect(await linesOf(wrong)).toEqual([['payment', 'cash', full]])
    expect(await linesOf(right)).toEqual([])
  })

  it('is not moved to an invoice that the customer has just paid online', async () => {
    const { wrong, right, paymentId } = await paidWrongly()
    await shop.payByCard(await shop.checkout(right))
    expect(hintOf(await move(paymentId, right))).toBe('PAID_ONLINE')
    expect(await linesOf(wrong)).toEqual([['payment', 'cash', full]])
    expect(await linesOf(right)).toEqual([['payment', 'card_online', full]])
  })

  it('is moved only once, even if two team members move payments between the same invoices at the same time', async () => {
    const one = await paidWrongly(1000)
    const other = await run('take-payment', {
      invoiceId: one.right,
      method: 'check',
      amountCents: 2000,
      givenCents: null,
      reference: '1042',
      note: null,
      sendsReceipt: false,
    })
    const { paymentId } = other.body['result'] as { paymentId: string }
    const answers = await Promise.all([
      move(one.paymentId, one.right, { amountCents: 1000 }),
      move(one.paymentId, one.right, { amountCents: 1000 }),
      move(paymentId, one.wrong, { method: 'check', reference: '1042', amountCents: 2000 }),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 400])
    expect(await read(one.wrong)).toMatchObject({ paidCents: 2000 })
    expect(await read(one.right)).toMatchObject({ paidCents: 1000 })
  })
})
