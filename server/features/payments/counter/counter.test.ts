import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { settlePayment } from '../settlement/settle-payment.ts'
import { idOf } from '../stripe.ts'
import { reportToStripe } from '../reports/report-to-stripe.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
})
afterEach(() => shop.breakCalls(undefined))
afterAll(() => shop.close())

type Input = Record<string, unknown>
const full = 40_700

/** Creates an invoice for a new customer. Returns the invoice id. */
async function makeInvoice(): Promise<string> {
  const email = `dana.${randomUUID()}@example.com`
  const { id } = await shop.createInvoice({ customer: { name: 'Dana', email, phone: '' } })
  return id
}

const take = (invoiceId: string, change: Input = {}, commandId: string = randomUUID()) =>
  shop.post('/api/commands/take-payment', {
    commandId,
    input: {
      invoiceId,
      method: 'cash',
      amountCents: full,
      givenCents: null,
      reference: null,
      note: null,
      sendsReceipt: false,
      ...change,
    },
  })
const result = ({ body }: { body: Record<string, unknown> }) =>
  body['result'] as Record<string, unknown>
const cause = ({ body }: { body: Record<string, unknown> }) =>
  body['cause'] as { code: string; hint: string; details: string }

const lines = async (invoiceId: string) =>
  (
    await shop.database.owner.query<{ kind: string; method: string; amount_cents: number }>(
      'select kind, method, amount_cents from public.payments where invoice_id = $1 order by recorded_at, kind desc',
      [invoiceId],
    )
  ).rows
const balance = async (invoiceId: string) => {
  const { rows } = await shop.database.owner.query<{ balance: string }>(
    'select internal.invoice_balance_cents(invoice) as balance from public.invoices invoice where invoice_id = $1',
    [invoiceId],
  )
  return Number(rows[0]?.balance)
}
const report = (failures: unknown[] = []) =>
  reportToStripe(shop.context, (_id, error) => failures.push(error))
const reportState = async (invoiceId: string) =>
  (
    await shop.database.owner.query<{ state: string; problem: string | null }>(
      'select state, problem from internal.stripe_reports where invoice_id = $1 order by position',
      [invoiceId],
    )
  ).rows
const dueNow = () =>
  shop.database.owner.query(`update internal.stripe_reports set next_attempt_at = now()`)

describe('a payment at the counter', () => {
  it.each([
    ['cash', {}],
    ['card_terminal', { reference: '4242' }],
    ['check', { reference: '1042' }],
    ['other', { reference: 'Bank transfer', note: 'Arrived on Monday.' }],
  ])(
    "by %s marks the invoice as paid in the shop's ledger immediately, and at Stripe when the report job runs",
    async (method, change) => {
      const id = await makeInvoice()
      const taken = await take(id, { method, ...change })
      expect(taken.status).toBe(200)
      expect(result(taken)).toMatchObject({
        amountCents: full,
        changeCents: 0,
        roundingCents: 0,
        balanceCents: 0,
        paymentPage: 'none',
        receiptEmail: null,
        receiptEmailId: null,
      })
      expect(await lines(id)).toEqual([{ kind: 'payment', method, amount_cents: full }])
      await report()
      const invoice = await shop.stripe.invoices.retrieve(id)
      expect(invoice).toMatchObject({ status: 'paid', amount_remaining: 0 })
      expect(await reportState(id)).toEqual([{ state: 'reported', problem: null }])
    },
  )

  it('can be one of several payments by different methods that add up to the invoice total', async () => {
    const id = await makeInvoice()
    expect(result(await take(id, { amountCents: 20_000 }))).toMatchObject({ balanceCents: 20_700 })
    await report()
    expect(await shop.stripe.invoices.retrieve(id)).toMatchObject({
      status: 'open',
      amount_remaining: 20_700,
    })
    await shop.payByCard(await shop.checkout(id))
    await shop.deliverEvents()
    expect(await lines(id)).toEqual([
      { kind: 'payment', method: 'cash', amount_cents: 20_000 },
      { kind: 'payment', method: 'card_online', amount_cents: 20_700 },
    ])
    expect(await balance(id)).toBe(0)
  })

  it('is visible to the customer immediately, before it is reported to Stripe', async () => {
    const email = `dana.${randomUUID()}@example.com`
    const { id, number } = await shop.createInvoice({
      customer: { name: 'Dana', email, phone: '' },
    })
    const lookUp = () => shop.post('/api/invoice/lookup', { invoiceNumber: number })
    await take(id, { amountCents: 20_000 })
    const found = (await lookUp()).body['invoice'] as { amountDue: number; pageUrl: string }
    expect(found.amountDue).toBe(20_700)
    await take(id, { method: 'check', reference: '1042', amountCents: 20_700 })
    const page = (await shop.inject({ method: 'GET', url: found.pageUrl })).body
    expect(page).toMatch(/Paid [A-Z][a-z]+ \d+, \d{4}, cash/)
    expect(page).toMatch(/Paid [A-Z][a-z]+ \d+, \d{4}, check 1042/)
    expect(await lookUp()).toMatchObject({ status: 409, body: { code: 'ALREADY_PAID' } })
  })

  it('returns the change for the received cash, and emails a receipt if staff request one', async () => {
    const id = await makeInvoice()
    const taken = await take(id, { amountCents: full, givenCents: 50_000, sendsReceipt: true })
    expect(result(taken)).toMatchObject({ changeCents: 9_300 })
    const email = String(result(taken)['receiptEmail'])
    expect(email).toMatch(/^dana\..*@example\.com$/)
    const receipts = (await shop.outbox('payment_receipt')).filter(
      ({ recipient_email }) => recipient_email === email,
    )
    expect(receipts).toMatchObject([
      {
        id: result(taken)['receiptEmailId'],
        dedupe_key: `receipt:payment:${String(result(taken)['paymentId'])}`,
      },
    ])
  })

  it.each([
    ['above the balance', { amountCents: full + 100 }, 'above_balance'],
    [
      'in cash, but the received cash is less than the amount',
      { givenCents: full - 1 },
      'given_too_little',
    ],
  ])('%s is refused with a reason, and nothing is recorded', async (_case, change, hint) => {
    const id = await makeInvoice()
    const refusedTake = await take(id, change)
    expect(refusedTake).toMatchObject({ status: 400, body: { code: 'REFUSED_BY_DATABASE' } })
    expect(cause(refusedTake)).toMatchObject({ code: 'TT102', hint })
    expect(await lines(id)).toEqual([])
  })

  it('above the balance is refused, and the response states the excess amount', async () => {
    const id = await makeInvoice()
    expect(JSON.parse(cause(await take(id, { amountCents: full + 100 })).details)).toEqual({
      balanceCents: full,
      excessCents: 100,
    })
  })

  it.each([0, -1, 0.001, 10 ** 12, '407', null])('of %s cents is refused', async (amountCents) => {
    const id = await makeInvoice()
    expect((await take(id, { amountCents })).status).toBe(400)
    expect(await lines(id)).toEqual([])
  })

  it.each([
    ['a check without a check number', { method: 'check' }],
    ['the method other, but no name of the method', { method: 'other' }],
    ['a card number in the reference', { reference: '4242 4242 4242 4242' }],
    ['a card number in the note', { note: 'Card 5555-5555-5555-4444, exp 12/30' }],
  ])('with %s is refused, and nothing is recorded', async (_case, change) => {
    const id = await makeInvoice()
    const refusedTake = await take(id, change)
    expect(refusedTake).toMatchObject({ status: 400, body: { code: 'REFUSED_BY_DATABASE' } })
    expect(cause(refusedTake).code).toBe('23514')
    expect(await lines(id)).toEqual([])
  })

  it('for a voided or unknown invoice is refused', async () => {
    const id = await makeInvoice()
    await shop.stripe.invoices.voidInvoice(id)
    await shop.deliverEvents()
    expect(cause(await take(id))).toMatchObject({ hint: 'invoice_void' })
    expect((await take('in_unknown')).status).toBeGreaterThanOrEqual(400)
  })

  it('is recorded once when the command is repeated, and returns the first result', async () => {
    const id = await makeInvoice()
    const commandId = randomUUID()
    const responses = await Promise.all([take(id, {}, commandId), take(id, {}, commandId)])
    responses.push(await take(id, {}, commandId))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(responses.map((response) => JSON.stringify(response.body))).size).toBe(1)
    expect(await lines(id)).toHaveLength(1)
  })

  it('is recorded once when two team members record the whole balance at the same time', async () => {
    const id = await makeInvoice()
    const responses = await Promise.all([take(id), take(id)])
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect(await lines(id)).toHaveLength(1)
  })

  it('requires a signed-in admin', async () => {
    const response = await shop.inject({
      method: 'POST',
      url: '/api/commands/take-payment',
      payload: {},
    })
    expect(response.statusCode).toBe(401)
  })
})

describe('cash rounding', () => {
  afterEach(() => shop.database.owner.query('update public.booking_rules set rounds_cash = false'))
  const priced = async (amount: string) => {
    const email = `dana.${randomUUID()}@example.com`
    const { id } = await shop.createInvoice({
      customer: { name: 'Dana', email, phone: '' },
      lineItems: [{ description: 'Oil', amount, quantity: 1 }],
    })
    return id
  }

  it.each([
    ['10.01', 1000, 1],
    ['10.02', 1000, 2],
    ['10.03', 1005, -2],
    ['10.04', 1005, -1],
    ['10.05', 1005, 0],
  ])(
    'of the price $%s charges %i cents in cash, and reports the exact amount to Stripe',
    async (price, takenCents, roundingCents) => {
      await shop.database.owner.query('update public.booking_rules set rounds_cash = true')
      const id = await priced(price)
      const exact = takenCents + roundingCents
      expect(result(await take(id, { amountCents: exact }))).toMatchObject({
        amountCents: takenCents,
        roundingCents,
        balanceCents: 0,
      })
      await report()
      expect(await shop.stripe.invoices.retrieve(id)).toMatchObject({
        status: 'paid',
        amount_paid: exact,
      })
    },
  )

  it('does not apply to card payments, to partial payments, or while the setting for cash rounding is off', async () => {
    const without = await priced('10.03')
    expect(result(await take(without, { amountCents: 1003 }))).toMatchObject({ amountCents: 1003 })
    await shop.database.owner.query('update public.booking_rules set rounds_cash = true')
    const id = await priced('10.03')
    expect(result(await take(id, { amountCents: 101 }))).toMatchObject({
      amountCents: 101,
      balanceCents: 902,
    })
    expect(result(await take(id, { method: 'card_terminal', amountCents: 902 }))).toMatchObject({
      amountCents: 902,
      roundingCents: 0,
    })
  })
})

describe('a counter payment while the customer has the payment page open', () => {
  it('closes the page and is recorded', async () => {
    const id = await makeInvoice()
    const page = await shop.checkout(id)
    expect(result(await take(id))).toMatchObject({ paymentPage: 'closed', balanceCents: 0 })
    expect(await shop.payByCard(page)).toBeUndefined()
    await shop.deliverEvents()
    expect(await lines(id)).toEqual([{ kind: 'payment', method: 'cash', amount_cents: full }])
  })

  it('is refused and not recorded if the customer has already paid on that page', async () => {
    const id = await makeInvoice()
    await shop.payByCard(await shop.checkout(id))
    expect(await take(id)).toMatchObject({ status: 409, body: { code: 'PAID_ONLINE' } })
    expect(await lines(id)).toEqual([
      { kind: 'payment', method: 'card_online', amount_cents: full },
    ])
  })

  it('is recorded when Stripe does not respond; a card payment on the page is then refunded and the owner is notified', async () => {
    const id = await makeInvoice()
    const page = await shop.checkout(id)
    shop.breakCalls(() => 'before')
    expect(result(await take(id))).toMatchObject({ paymentPage: 'unknown', balanceCents: 0 })
    shop.breakCalls(undefined)
    await shop.payByCard(page)
    await shop.deliverEvents()
    expect(await lines(id)).toEqual([
      { kind: 'payment', method: 'cash', amount_cents: full },
      { kind: 'refund', method: 'card_online', amount_cents: -full },
      { kind: 'payment', method: 'card_online', amount_cents: full },
    ])
    expect(await balance(id)).toBe(0)
    await dueNow()
    await report()
    expect(await shop.stripe.invoices.retrieve(id)).toMatchObject({ status: 'paid' })
  })

  it('leaves no record of a payment page that Stripe failed to open', async () => {
    const id = await makeInvoice()
    const pages = () =>
      shop.database.owner.query('select from internal.payment_pages where invoice_id = $1', [id])
    shop.breakCalls(({ method, path }) =>
      method === 'POST' && path.endsWith('/sessions') ? 'before' : undefined,
    )
    expect((await shop.post('/api/create-checkout', { invoiceId: id })).status).not.toBe(200)
    shop.breakCalls(undefined)
    expect((await pages()).rows).toEqual([])
    await shop.checkout(id)
    expect((await pages()).rows).toHaveLength(1)
  })

  it('blocks new payment pages until the counter payment is recorded', async () => {
    const id = await makeInvoice()
    await shop.database.owner.query(`select internal.pause_payment_pages($1)`, [id])
    expect(await shop.post('/api/create-checkout', { invoiceId: id })).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_PROCESSING' },
    })
    await take(id, { amountCents: 100 })
    expect(await shop.checkout(id)).toContain('/sandbox/')
    await take(id, { amountCents: full - 100 })
    expect(await shop.post('/api/create-checkout', { invoiceId: id })).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_PAID' },
    })
  })
})

describe('the report of a payment to Stripe', () => {
  it('is retried after a failure of any call to Stripe, and the payment is attached exactly once', async () => {
    const probe = await makeInvoice()
    await take(probe)
    shop.drainCalls()
    await report()
    const calls = shop.drainCalls().length
    expect(calls).toBeGreaterThan(3)
    for (let index = 0; index < calls; index += 1) {
      for (const timing of ['before', 'after'] as const) {
        const id = await makeInvoice()
        await take(id)
        let count = -1
        shop.breakCalls(() => ((count += 1) === index ? timing : undefined))
        const failures: unknown[] = []
        await report(failures)
        shop.breakCalls(undefined)
        await dueNow()
        await report()
        const attached = await shop.stripe.invoicePayments.list({ invoice: id, status: 'paid' })
        const { status, amount_remaining } = await shop.stripe.invoices.retrieve(id)
        expect({ index, timing, status, amount_remaining, attached: attached.data.length }).toEqual(
          {
            index,
            timing,
            status: 'paid',
            amount_remaining: 0,
            attached: 1,
          },
        )
      }
    }
  }, 60_000)

  it('finds an earlier attempt by the ledger entry id when the idempotency key has expired after a day', async () => {
    const id = await makeInvoice()
    await take(id)
    await report()
    await shop.database.owner.query(
      `update internal.stripe_reports set state = 'due', stripe_id = null, reported_at = null,
         first_attempt_at = now() - interval '25 hours', next_attempt_at = now()
       where invoice_id = $1`,
      [id],
    )
    await report()
    const attached = await shop.stripe.invoicePayments.list({ invoice: id, status: 'paid' })
    expect(attached.data).toHaveLength(1)
    expect(await reportState(id)).toEqual([{ state: 'reported', problem: null }])
  })

  it('is not retried when Stripe refuses it; the payment still counts in the ledger', async () => {
    const id = await makeInvoice()
    await take(id)
    await shop.stripe.invoices.pay(id, { paid_out_of_band: true })
    const failures: unknown[] = []
    await report(failures)
    expect(failures).toHaveLength(1)
    expect(await reportState(id)).toMatchObject([{ state: 'refused' }])
    expect(await balance(id)).toBe(0)
    const { rows } = await shop.database.owner.query<{ invoice_id: string }>(
      'select invoice_id from internal.list_ledger_differences()',
    )
    expect(rows).toEqual([{ invoice_id: id }])
  })
})

describe('a hundred cash payments and a hundred paid checkouts for one invoice at the same time', () => {
  it('result in a single payment: every other checkout is refunded, and every other cash payment is refused', async () => {
    const id = await makeInvoice()
    const { customer } = await shop.stripe.invoices.retrieve(id)
    const sessions = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const price_data = { currency: 'usd', unit_amount: full, product_data: { name: 'x' } }
        return shop.stripe.checkout.sessions.create({
          mode: 'payment',
          customer: idOf(customer),
          metadata: { invoice_id: id },
          line_items: [{ quantity: 1, price_data }],
          success_url: shop.config.publicUrl,
          cancel_url: shop.config.publicUrl,
        })
      }),
    )
    for (const { url } of sessions) await shop.payByCard(url ?? '')
    const settled = Array.from({ length: 100 }, () => settlePayment(shop.context, id))
    const cash = await Promise.all(Array.from({ length: 100 }, () => take(id)))
    await Promise.all(settled)
    await settlePayment(shop.context, id)
    await report()
    const all = await lines(id)
    const counted = (kind: string, method: string) =>
      all.filter((line) => line.kind === kind && line.method === method).length
    const taken = cash.filter(({ status }) => status === 200).length
    expect(counted('payment', 'cash')).toBe(taken)
    expect(taken).toBeLessThanOrEqual(1)
    expect(counted('payment', 'card_online')).toBe(100)
    expect(counted('refund', 'card_online')).toBe(99 + taken)
    expect(all.reduce((sum, line) => sum + line.amount_cents, 0)).toBe(full)
    expect(await shop.stripe.invoices.retrieve(id)).toMatchObject({ status: 'paid' })
  }, 120_000)
})
