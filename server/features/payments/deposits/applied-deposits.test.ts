import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayClose } from '#contracts/payments/day-close.ts'
import { deposit as depositSchema } from '#contracts/payments/deposits.ts'
import { invoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { testAdmin } from '#tests/support/app/app.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'
import { makeReplacements } from '../reports/make-replacements.ts'
import { reportToStripe } from '../reports/report-to-stripe.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
  await shop.post('/api/admin/confirm-password', { password: testAdmin.password })
})
afterAll(() => shop.close())

/** The total of the estimate's only job, and the deposit that was taken for the estimate, in cents. */
const full = 29_295
const taken = 15_000
type Input = Record<string, unknown>

const asAdmin = async (sql: string, values: unknown[] = []) => {
  const [row] = await shop.database.database.transaction(admin, (query) =>
    query.unchecked<{ result: unknown }>(`select ${sql} as result`, values),
  )
  return row?.result
}
const run = (name: string, input: Input) =>
  shop.post(`/api/commands/${name}`, { commandId: randomUUID(), input })
const hintOf = ({ body }: { body: Input }) =>
  (body['cause'] as { hint?: string } | undefined)?.hint ?? body['code']
const readInvoice = async (id: string) =>
  invoiceDetail.parse(await asAdmin('public.read_invoice($1)', [id]))
const ledgerOf = async (id: string) =>
  (await readInvoice(id)).ledger.map(({ kind, method, amountCents }) => [kind, method, amountCents])
const readDeposit = async (id: string) =>
  depositSchema.parse(await asAdmin('public.read_deposit($1)', [id]))
const atStripe = async (id: string) => (await shop.stripe.invoices.retrieve(id)).amount_remaining
/** Reads the amounts that the shop received on the current day, by payment method. */
const received = async () => {
  const { today } = (await asAdmin(`public.list_invoices('all', 1)`)) as { today: string }
  const { methods } = dayClose.parse(await asAdmin('public.read_day_close($1)', [today]))
  return { cash: methods.cash.cents, check: methods.check.cents }
}

async function runJobs(): Promise<void> {
  const failures: unknown[] = []
  await reportToStripe(shop.context, (_id, error) => failures.push(error))
  await makeReplacements(shop.context, (_id, error) => failures.push(error))
  expect(failures).toEqual([])
}

const orderOf = (estimateId: string) => ({
  estimateId,
  method: 'check',
  amountCents: taken,
  givenCents: null,
  reference: '1042',
  note: null,
  sendsReceipt: false,
})

/** Creates an invoice that is paid in part with a deposit, which the customer paid by check. */
async function applied(jobs = [estimateJob()], dropped: string[] = []) {
  const client = createEstimateClient(shop.database)
  const customer = { name: 'Maria Delgado', email: `${randomUUID()}@example.com`, phone: '' }
  const id = await client.write(estimateDocument(jobs, { customer }))
  await client.record(id, Object.fromEntries(jobs.map(({ key }) => [key, 'approved'])))
  const amountCents = dropped.length > 0 ? jobs.length * full : taken
  await asAdmin('public.ask_deposit($1, $2, null)', [id, amountCents])
  expect((await run('take-deposit', { ...orderOf(id), amountCents })).status).toBe(200)
  if (dropped.length > 0) {
    await client.record(id, Object.fromEntries(dropped.map((key) => [key, 'withdrawn'])))
  }
  const made = await shop.post('/api/admin/estimate/invoice', {
    estimateId: id,
    seenVersion: await client.version(id),
  })
  const invoiceId = (made.body['invoice'] as { id: string }).id
  const [line] = (await readInvoice(invoiceId)).ledger
  return { id, invoiceId, lineId: line?.id ?? '' }
}

const correct = ({ lineId, invoiceId }: { lineId: string; invoiceId: string }, change: Input) =>
  run('correct-payment', {
    paymentId: lineId,
    invoiceId,
    method: 'check',
    amountCents: taken,
    reference: '1042',
    reason: 'Mixed up.',
    ...change,
  })
const toCash = { method: 'cash', reference: null }

describe('a wrongly recorded deposit that was already applied to an invoice', () => {
  it('has the correct payment method after the correction: in the cash drawer, on the invoice and on the estimate', async () => {
    const before = await received()
    const made = await applied()
    expect((await correct(made, toCash)).body['result']).toEqual({ balanceCents: full - taken })
    expect(await ledgerOf(made.invoiceId)).toEqual([
      ['applied_deposit', 'check', taken],
      ['applied_deposit', 'check', -taken],
      ['applied_deposit', 'cash', taken],
    ])
    const after = await received()
    expect([after.cash - before.cash, after.check - before.check]).toEqual([taken, 0])
    const { state, appliedCents, heldCents, lines } = await readDeposit(made.id)
    expect([state, appliedCents, heldCents]).toEqual(['applied', taken, 0])
    expect(lines.map(({ kind, method, note }) => [kind, method, note])).toEqual([
      ['payment', 'check', null],
      ['reversal', 'check', 'Mixed up.'],
      ['payment', 'cash', null],
    ])
    await runJobs()
    expect(await atStripe(made.invoiceId)).toBe(full - taken)
  })

  it('raises the invoice balance when its amount is lowered before the report to Stripe', async () => {
    const made = await applied()
    const corrected = await correct(made, { amountCents: 14_000 })
    expect(corrected.body['result']).toEqual({ balanceCents: full - 14_000 })
    await runJobs()
    expect(await atStripe(made.invoiceId)).toBe(full - 14_000)
    expect((await readInvoice(made.invoiceId)).replacements).toEqual([])
  })

  it('lowers the invoice balance when its amount is raised before the report to Stripe', async () => {
    const made = await applied()
    const corrected = await correct(made, { amountCents: 16_000 })
    expect(corrected.body['result']).toEqual({ balanceCents: full - 16_000 })
    await runJobs()
    expect(await atStripe(made.invoiceId)).toBe(full - 16_000)
  })

  it('gets a replacement invoice for the excess amount when its amount is lowered after the report to Stripe', async () => {
    const made = await applied()
    await runJobs()
    expect((await correct(made, { ...toCash, amountCents: 14_000 })).status).toBe(200)
    await runJobs()
    expect(await atStripe(made.invoiceId)).toBe(full - taken)
    const { replacements, balanceCents } = await readInvoice(made.invoiceId)
    expect(balanceCents).toBe(full - taken)
    expect(replacements).toMatchObject([{ amountCents: 1000 }])
    expect(await readInvoice(replacements[0]?.invoiceId ?? '')).toMatchObject({
      totalCents: 1000,
      balanceCents: 1000,
    })
  })

  it.each<[string, Input, string]>([
    [
      'above the amount that was reported to Stripe',
      { amountCents: taken + 1 },
      'already_reported',
    ],
    ['above the balance', { amountCents: full + 1 }, 'above_balance'],
    ['to another invoice', { invoiceId: 'other' }, 'deposit_stays'],
  ])('refuses a correction %s, and changes nothing', async (_what, change, hint) => {
    const made = await applied()
    await runJobs()
    const other = 'invoiceId' in change ? { invoiceId: (await applied()).invoiceId } : {}
    expect(hintOf(await correct(made, { ...change, ...other }))).toBe(hint)
    expect(await ledgerOf(made.invoiceId)).toEqual([['applied_deposit', 'check', taken]])
    expect((await readDeposit(made.id)).lines).toHaveLength(1)
  })

  it('is corrected once, and cannot be corrected after part of it was refunded', async () => {
    const made = await applied()
    const both = await Promise.all([correct(made, toCash), correct(made, toCash)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect(await ledgerOf(made.invoiceId)).toHaveLength(3)

    const jobs = [estimateJob(), estimateJob({ title: 'Coolant flush' })]
    const above = await applied(jobs, [jobs[1]?.key ?? ''])
    expect(hintOf(await correct(above, toCash))).toBe('not_correctable')
    expect(hintOf(await returnCheck(above.lineId))).toBe('not_correctable')
  })

  it('is refunded by the corrected payment method when the invoice is cancelled', async () => {
    const made = await applied()
    await correct(made, toCash)
    const { invoiceId } = made
    const cancelled = await run('cancel-invoice', { invoiceId, reason: 'Sold', notifies: false })
    expect(cancelled.body['result']).toEqual({ refundCents: taken })
    expect((await ledgerOf(invoiceId)).at(-1)).toEqual(['refund', 'cash', -taken])
  })
})

describe('a deposit that was applied to a paid invoice', () => {
  it('can be refunded in part, by its original payment method', async () => {
    const { id, invoiceId, lineId } = await applied()
    const rest = {
      method: 'cash',
      amountCents: full - taken,
      givenCents: null,
      reference: null,
      note: null,
      sendsReceipt: false,
    }
    expect((await run('take-payment', { invoiceId, ...rest })).status).toBe(200)
    await runJobs()
    const refunded = await run('refund-payment', {
      paymentId: lineId,
      amountCents: 5_000,
      partKeys: null,
      method: null,
      reference: null,
      reason: 'As agreed.',
      notifies: false,
    })
    expect(refunded.body['result']).toMatchObject({ refundCents: 5_000 })
    expect((await ledgerOf(invoiceId)).at(-1)).toEqual(['refund', 'check', -5_000])
    expect(await readInvoice(invoiceId)).toMatchObject({ balanceCents: 0, state: 'part_refunded' })
    expect(await readDeposit(id)).toMatchObject({ state: 'applied', heldCents: 0 })
    await runJobs()
    expect((await shop.stripe.invoices.retrieve(invoiceId)).post_payment_credit_notes_amount).toBe(
      5_000,
    )
  })
})

const returnCheck = (paymentId: string) =>
  run('return-check', { paymentId, reason: 'Not enough funds' })

describe('a deposit by check that was applied to an invoice, when the bank returns the check', () => {
  it('is due again on the invoice, and does not count as refunded', async () => {
    const before = await received()
    const made = await applied()
    expect((await returnCheck(made.lineId)).body['result']).toEqual({ balanceCents: full })
    expect((await received()).check).toBe(before.check)
    expect(await readDeposit(made.id)).toMatchObject({ state: 'none', heldCents: 0 })
    await runJobs()
    expect(await atStripe(made.invoiceId)).toBe(full)
  })
})
