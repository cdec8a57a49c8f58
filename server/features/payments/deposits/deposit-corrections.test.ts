import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Deposit, deposit as depositSchema } from '#contracts/payments/deposits.ts'
import { dayClose } from '#contracts/payments/day-close.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
})
afterAll(() => shop.close())

const asked = 15_000
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
const read = async (id: string): Promise<Deposit> =>
  depositSchema.parse(await asAdmin('public.read_deposit($1)', [id]))
const linesOf = async (id: string) =>
  (await read(id)).lines.map(({ kind, method, amountCents }) => [kind, method, amountCents])
/** Reads the amounts that the shop received on the current day, by payment method. */
const received = async () => {
  const { today } = (await asAdmin(`public.list_invoices('all', 1)`)) as { today: string }
  const { methods } = dayClose.parse(await asAdmin('public.read_day_close($1)', [today]))
  return { cash: methods.cash.cents, check: methods.check.cents }
}

/** Creates an approved estimate and takes its deposit at the counter. */
async function held(change: Input = {}) {
  const client = createEstimateClient(shop.database)
  const job = estimateJob()
  const customer = { name: 'Maria Delgado', email: `${randomUUID()}@example.com`, phone: '' }
  const id = await client.write(estimateDocument([job], { customer }))
  await client.record(id, { [job.key]: 'approved' })
  await asAdmin('public.ask_deposit($1, $2, null)', [id, asked])
  const taken = await take(id, change)
  expect(taken.status).toBe(200)
  const { paymentId } = taken.body['result'] as { paymentId: string }
  const decline = () => client.record(id, { [job.key]: 'withdrawn' })
  const bill = async () =>
    shop.post('/api/admin/estimate/invoice', {
      estimateId: id,
      seenVersion: await client.version(id),
    })
  return { id, paymentId, decline, bill }
}

const take = (estimateId: string, change: Input = {}) =>
  run('take-deposit', {
    estimateId,
    method: 'check',
    amountCents: asked,
    givenCents: null,
    reference: '1042',
    note: null,
    sendsReceipt: false,
    ...change,
  })
const correct = (paymentId: string, change: Input = {}) =>
  run('correct-deposit', {
    paymentId,
    method: 'cash',
    amountCents: asked,
    reference: null,
    reason: 'Paid in cash.',
    ...change,
  })
const returnCheck = (paymentId: string) =>
  run('return-deposit-check', { paymentId, reason: 'Not enough funds' })
const undecidedIds = async () =>
  (
    (await asAdmin('public.read_today()')) as { undecided_deposits: { estimateId: string }[] }
  ).undecided_deposits.map(({ estimateId }) => estimateId)

describe('a wrongly recorded deposit that is held (not applied to an invoice yet)', () => {
  it('gets the correct payment method and amount, stays held, and is counted correctly in the cash drawer', async () => {
    const before = await received()
    const { id, paymentId } = await held()
    const corrected = await correct(paymentId, { amountCents: 14_000 })
    expect(corrected.body['result']).toEqual({ heldCents: 14_000 })
    expect(await linesOf(id)).toEqual([
      ['payment', 'check', asked],
      ['reversal', 'check', -asked],
      ['payment', 'cash', 14_000],
    ])
    const { lines } = await read(id)
    expect(lines[1]).toMatchObject({
      originalId: paymentId,
      cause: 'recorded_wrongly',
      note: 'Paid in cash.',
    })
    expect(await read(id)).toMatchObject({ state: 'paid', heldCents: 14_000 })
    const after = await received()
    expect([after.cash - before.cash, after.check - before.check]).toEqual([14_000, 0])
  })

  it('is corrected once, to at most the amount that staff requested from the customer', async () => {
    const { id, paymentId } = await held({ amountCents: 10_000 })
    expect(hintOf(await correct(paymentId, { amountCents: asked + 1 }))).toBe('above_asked')
    const both = await Promise.all([correct(paymentId), correct(paymentId)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect(hintOf(both.find(({ status }) => status === 400) ?? { body: {} })).toBe(
      'not_correctable',
    )
    expect(await linesOf(id)).toHaveLength(3)
  })

  it('can be corrected after the customer declined all jobs, and stays listed on Today', async () => {
    const { id, paymentId, decline } = await held()
    await decline()
    expect((await correct(paymentId)).status).toBe(200)
    expect(await read(id)).toMatchObject({ state: 'paid', heldCents: asked })
    expect(await undecidedIds()).toContain(id)
  })

  it('cannot be corrected as a held deposit after it was applied to an invoice', async () => {
    const { id, paymentId, bill } = await held()
    expect((await bill()).status).toBe(200)
    expect(hintOf(await correct(paymentId))).toBe('already_invoiced')
    expect(hintOf(await returnCheck(paymentId))).toBe('already_invoiced')
    expect(await read(id)).toMatchObject({ state: 'applied', appliedCents: asked })
  })
})

describe('a deposit by check that is held (not applied to an invoice yet) when the bank returns the check', () => {
  it('is no longer held, so that the deposit is due again and can be paid again', async () => {
    const before = await received()
    const { id, paymentId, bill } = await held()
    expect((await returnCheck(paymentId)).body['result']).toEqual({ heldCents: 0 })
    expect(await read(id)).toMatchObject({
      state: 'open',
      askedCents: asked,
      heldCents: 0,
      lines: [{}, { kind: 'reversal', cause: 'returned_check', note: 'Not enough funds' }],
    })
    expect((await received()).check).toBe(before.check)
    expect(hintOf(await returnCheck(paymentId))).toBe('not_correctable')
    expect((await take(id, { method: 'cash', reference: null })).status).toBe(200)
    expect(await read(id)).toMatchObject({ state: 'paid', heldCents: asked })
    expect((await bill()).status).toBe(200)
    expect(await read(id)).toMatchObject({ state: 'applied', appliedCents: asked })
  })

  it('is no longer listed on Today if all jobs were declined, because no money has to be refunded', async () => {
    const { id, paymentId, decline } = await held()
    await decline()
    expect(await undecidedIds()).toContain(id)
    await returnCheck(paymentId)
    expect(await undecidedIds()).not.toContain(id)
  })

  it('must have been paid by check: a deposit in cash cannot be recorded as a returned check', async () => {
    const { paymentId } = await held({ method: 'cash', reference: null })
    expect(hintOf(await returnCheck(paymentId))).toBe('not_correctable')
  })
})
