import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { deposit as depositSchema, type Deposit } from '#contracts/payments/deposits.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { testAdmin } from '#tests/support/app/app.ts'
import { admin, refusalTo } from '#tests/support/database/database-fixtures.ts'
import {
  approveEstimate,
  readEstimate,
  recordByPhone,
  writeEstimate,
} from '#tests/support/estimates/approved-estimate.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'
import { reportToStripe } from '../reports/report-to-stripe.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
  await shop.post('/api/admin/confirm-password', { password: testAdmin.password })
})
afterEach(() => shop.breakCalls(undefined))
afterAll(() => shop.close())

/** The total of the only job of an estimate, in cents. */
const full = 29_295
const database = () => shop.database.database

const asAdmin = async (sql: string, values: unknown[]) => {
  const [row] = await database().transaction(admin, (query) =>
    query.unchecked<{ result: unknown }>(`select ${sql} as result`, values),
  )
  return row?.result
}
const readDeposit = async (id: string): Promise<Deposit> =>
  depositSchema.parse(await asAdmin('public.read_deposit($1)', [id]))
const ask = async (id: string, cents: number | null, percent: number | null = null) =>
  depositSchema.parse(await asAdmin('public.ask_deposit($1, $2, $3)', [id, cents, percent]))
const refusalToAsk = async (id: string, cents: number | null, percent: number | null = null) =>
  refusalTo(database(), admin, (query) =>
    query.unchecked('select public.ask_deposit($1, $2, $3)', [id, cents, percent]),
  )

const newDocument = () =>
  estimateDocument([estimateJob()], {
    customer: {
      name: 'Maria Delgado',
      email: `${randomUUID()}@example.com`,
      phone: '(650) 555-0167',
    },
  })
/** Creates an approved estimate with a deposit that is due. Returns the id of the estimate. */
async function open(cents = 15_000): Promise<string> {
  const id = await approveEstimate(database(), newDocument())
  await ask(id, cents)
  return id
}

const run = (name: string, input: Record<string, unknown>, commandId: string = randomUUID()) =>
  shop.post(`/api/commands/${name}`, { commandId, input })
const take = (estimateId: string, change: Record<string, unknown> = {}, commandId?: string) =>
  run(
    'take-deposit',
    {
      estimateId,
      method: 'cash',
      amountCents: 15_000,
      givenCents: null,
      reference: null,
      note: null,
      sendsReceipt: false,
      ...change,
    },
    commandId,
  )
const refund = (estimateId: string, change: Record<string, unknown> = {}) =>
  run('refund-deposit', {
    estimateId,
    method: null,
    reference: null,
    reason: 'Customer sold the vehicle.',
    notifies: true,
    ...change,
  })
async function bill(estimateId: string): Promise<string> {
  const { version: seenVersion } = await readEstimate(database(), estimateId)
  const { body } = await shop.post('/api/admin/estimate/invoice', { estimateId, seenVersion })
  return (body['invoice'] as { id: string }).id
}
async function report(): Promise<void> {
  const failures: unknown[] = []
  await reportToStripe(shop.context, (_id, error) => failures.push(error))
  expect(failures).toEqual([])
}

const hintOf = ({ body }: { body: Record<string, unknown> }) =>
  (body['cause'] as { hint: string } | undefined)?.hint ?? body['code']
const invoiceOf = async (id: string) =>
  (await asAdmin('public.read_invoice($1)', [id])) as {
    balanceCents: number
    state: string
    ledger: { kind: string; method: string; amountCents: number; reportState: string | null }[]
  }
const ledgerOf = async (id: string) =>
  (await invoiceOf(id)).ledger.map(({ kind, method, amountCents }) => [kind, method, amountCents])
const linesOf = async (id: string) =>
  (await readDeposit(id)).lines.map(({ kind, method, amountCents }) => [kind, method, amountCents])
const atStripe = async (id: string) => (await shop.stripe.invoices.retrieve(id)).amount_remaining

describe('a deposit', () => {
  it('can be requested as an amount or as a percentage of the approved total, rounded to the cent', async () => {
    const id = await writeEstimate(database(), newDocument())
    expect(await ask(id, 15_000)).toMatchObject({
      state: 'asked',
      askedCents: 0,
      limitCents: full,
    })
    const { document } = await readEstimate(database(), id)
    await recordByPhone(database(), id, { [document.jobs[0]?.key ?? '']: 'approved' })
    expect(await readDeposit(id)).toMatchObject({ state: 'open', askedCents: 15_000 })
    // 30 % of $292.95 is $87.885, which is rounded to $87.89.
    expect(await ask(id, null, 30)).toMatchObject({ state: 'open', askedCents: 8789 })
    expect(await ask(id, null)).toMatchObject({ state: 'none', askedCents: 0 })
  })

  it.each([
    ['above the estimate total', full + 1, null, { code: 'TT104', hint: 'above_approved' }],
    ['of zero', 0, null, { code: '23514' }],
    ['of a negative amount', -1, null, { code: '23514' }],
    ['of ten billion dollars', 1_000_000_000_000, null, { code: '22003' }],
    ['of 101 percent', null, 101, { code: '23514' }],
    ['of an amount and a percentage', 100, 10, { code: '23514' }],
  ])('%s is refused', async (_what, cents, percent, refusal) => {
    const id = await approveEstimate(database(), newDocument())
    expect(await refusalToAsk(id, cents, percent)).toMatchObject(refusal)
    expect(await readDeposit(id)).toMatchObject({ state: 'none' })
  })

  it('taken at the counter is held, then applied to the invoice as its first payment, and reported to Stripe', async () => {
    const id = await open()
    const taken = await take(id, { givenCents: 16_000, sendsReceipt: true })
    expect(taken.body).toMatchObject({
      result: { amountCents: 15_000, changeCents: 1000, paymentPage: 'none' },
    })
    expect(await readDeposit(id)).toMatchObject({ state: 'paid', heldCents: 15_000 })
    const { email } = (await readEstimate(database(), id)).document.customer
    const receipts = (await shop.outbox()).filter((sent) => sent.recipient_email === email)
    expect(receipts.map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/^Receipt for your deposit/),
    )
    const invoiceId = await bill(id)
    expect(await readDeposit(id)).toMatchObject({
      state: 'applied',
      heldCents: 0,
      appliedCents: 15_000,
    })
    expect(await ledgerOf(invoiceId)).toEqual([['applied_deposit', 'cash', 15_000]])
    expect((await invoiceOf(invoiceId)).balanceCents).toBe(full - 15_000)
    await report()
    expect(await atStripe(invoiceId)).toBe(full - 15_000)
  })

  it('larger than the invoice total is refunded in part: the customer gets the excess back by the method of the deposit payment', async () => {
    const [wanted, dropped] = [estimateJob(), estimateJob({ title: 'Coolant flush' })]
    const id = await approveEstimate(
      database(),
      estimateDocument([wanted, dropped], { customer: newDocument().customer }),
    )
    await ask(id, null, 100)
    await take(id, { amountCents: 2 * full })
    await recordByPhone(database(), id, { [dropped.key]: 'withdrawn' })
    const invoiceId = await bill(id)
    expect(await linesOf(id)).toEqual([
      ['payment', 'cash', 2 * full],
      ['refund', 'cash', -full],
    ])
    expect(await invoiceOf(invoiceId)).toMatchObject({ balanceCents: 0, state: 'paid' })
    await report()
    expect(await atStripe(invoiceId)).toBe(0)
  })

  it('is refunded when the invoice is cancelled', async () => {
    const id = await open()
    await take(id)
    const invoiceId = await bill(id)
    await report()
    expect(
      (await run('void-invoice', { invoiceId, reason: 'Wrong', notifies: false })).body,
    ).toMatchObject({ cause: { hint: 'was_paid' } })
    const cancelled = await run('cancel-invoice', { invoiceId, reason: 'Sold', notifies: false })
    expect(cancelled.body).toMatchObject({ result: { refundCents: 15_000 } })
    expect(await ledgerOf(invoiceId)).toEqual([
      ['applied_deposit', 'cash', 15_000],
      ['refund', 'cash', -15_000],
    ])
    expect(await readDeposit(id)).toMatchObject({ state: 'refunded', heldCents: 0 })
    await report()
    expect(await atStripe(invoiceId)).toBe(0)
  })

  it('is listed as a deposit in the repair records', async () => {
    const id = await open()
    await take(id)
    const records = await asAdmin(`public.list_repair_records('estimate', $1)`, [id])
    expect(records).toContainEqual(
      expect.objectContaining({ kind: 'payment', label: '150.00', state: 'deposit' }),
    )
  })

  it('can be refunded before an invoice exists, with a reason, and only once', async () => {
    const id = await open()
    await take(id, { method: 'check', reference: '1042' })
    expect((await refund(id)).body).toMatchObject({ result: { refundCents: 15_000 } })
    expect(await readDeposit(id)).toMatchObject({
      state: 'refunded',
      lines: [{}, { kind: 'refund', method: 'check', note: 'Customer sold the vehicle.' }],
    })
    expect(await refundEmailTo(id)).toContain('returns $150.00 to you by check.')
    expect(hintOf(await refund(id))).toBe('nothing_held')
    expect(hintOf(await take(id))).toBe('already_taken')
    const invoiceId = await bill(id)
    expect(await ledgerOf(invoiceId)).toEqual([])
  })
})

/** Reads the text of the email about the refund of a deposit. */
async function refundEmailTo(id: string): Promise<string> {
  const { rows } = await shop.database.owner.query<{ text_body: string }>(
    'select text_body from public.emails where dedupe_key = $1',
    [`deposit-refund:${id}`],
  )
  return rows[0]?.text_body.replaceAll(/\s+/g, ' ') ?? ''
}

it.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
  ['in cash', {}, {}, 'to you in cash.'],
  [
    'to the card of the payment',
    { method: 'card_terminal', reference: '4417' },
    {},
    'to your card ending 4417.',
  ],
  ['by a check', {}, { method: 'check', reference: '2207' }, 'to you by check 2207.'],
  ['by the method of the payment', {}, { method: 'cash', reference: 'Drawer' }, 'to you in cash.'],
  [
    'by another method',
    { method: 'check', reference: '1042' },
    { method: 'other', reference: 'bank transfer' },
    'to you by bank transfer.',
  ],
])(
  'The email about a deposit that is refunded %s names the refund method',
  async (_, paid, back, words) => {
    const id = await open()
    expect((await take(id, paid)).status).toBe(200)
    expect((await refund(id, back)).status).toBe(200)
    expect(await refundEmailTo(id)).toContain(`returns $150.00 ${words}`)
  },
)

describe('a deposit at the counter', () => {
  it('is recorded once when several team members record it at the same time or a command is repeated', async () => {
    const id = await open()
    const answers = await Promise.all([take(id), take(id), take(id)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => hintOf(answer) === 'already_taken')).toHaveLength(2)
    expect(await linesOf(id)).toEqual([['payment', 'cash', 15_000]])
    const [other, commandId] = [await open(), randomUUID()]
    const [first, repeated] = [await take(other, {}, commandId), await take(other, {}, commandId)]
    expect(repeated).toEqual(first)
    expect(await linesOf(other)).toHaveLength(1)
  })

  it.each([
    ['above the requested amount', { amountCents: 15_001 }, 'above_asked'],
    ['with less received cash than the amount', { givenCents: 14_999 }, 'given_too_little'],
    ['of zero', { amountCents: 0 }, 'BAD_REQUEST'],
    ['of a negative amount', { amountCents: -1 }, 'BAD_REQUEST'],
    ['of ten billion dollars', { amountCents: 1_000_000_000_000 }, 'BAD_REQUEST'],
    ['by card online', { method: 'card_online' }, 'BAD_REQUEST'],
  ])('%s is refused, and nothing is recorded', async (_what, change, hint) => {
    const id = await open()
    expect(hintOf(await take(id, change))).toBe(hint)
    expect(await linesOf(id)).toEqual([])
  })

  it('is refused if staff requested no deposit, before the customer approved a job, and after the invoice was created', async () => {
    const none = await approveEstimate(database(), newDocument())
    expect(hintOf(await take(none))).toBe('not_asked')
    const draft = await writeEstimate(database(), newDocument())
    await ask(draft, 15_000)
    expect(hintOf(await take(draft))).toBe('nothing_approved')
    const invoiced = await open()
    await bill(invoiced)
    expect(hintOf(await take(invoiced))).toBe('already_invoiced')
    expect(await readDeposit(invoiced)).toMatchObject({ state: 'none' })
  })

  it('is limited to the total that is still approved after the customer withdrew a job', async () => {
    const [small, large] = [estimateJob(), estimateJob({ title: 'Coolant flush' })]
    const id = await approveEstimate(
      database(),
      estimateDocument([small, large], { customer: newDocument().customer }),
    )
    await ask(id, 40_000)
    await recordByPhone(database(), id, { [large.key]: 'withdrawn' })
    expect(await readDeposit(id)).toMatchObject({ askedCents: full })
    expect(hintOf(await take(id, { amountCents: 40_000 }))).toBe('above_asked')
  })

  it('that is held after the customer withdrew all jobs is listed on Today until it is refunded', async () => {
    const id = await open()
    await take(id)
    const listed = async () => {
      const today = (await asAdmin('public.read_today()', [])) as {
        undecided_deposits: { estimateId: string; heldCents: number; because: string }[]
      }
      return today.undecided_deposits.filter(({ estimateId }) => estimateId === id)
    }
    expect(await listed()).toEqual([])
    const { document } = await readEstimate(database(), id)
    await recordByPhone(database(), id, { [document.jobs[0]?.key ?? '']: 'withdrawn' })
    expect(await listed()).toMatchObject([{ heldCents: 15_000, because: 'declined' }])
    await refund(id)
    expect(await listed()).toEqual([])
  })
})

describe('the payment ledger', () => {
  it('refuses an entry for both an invoice and an estimate, and a second use of the same deposit', async () => {
    const id = await open()
    await take(id)
    const invoiceId = await bill(id)
    const insert = (columns: string, values: unknown[]) =>
      refusalOf(() => shop.database.owner.query(columns, values))
    expect(
      await insert(
        `insert into public.payments (invoice_id, estimate_id, kind, method, amount_cents, currency, paid_at)
         values ($1, $2, 'payment', 'cash', 1, 'usd', now())`,
        [invoiceId, id],
      ),
    ).toBe('23514')
    expect(
      await insert(
        `insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, paid_at)
         select $1, 'applied_deposit', 'cash', id, 1, 'usd', now() from public.payments where estimate_id = $2`,
        [invoiceId, id],
      ),
    ).toBe('TT101')
  })
})

async function refusalOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return (error as { code?: string }).code
  }
}
