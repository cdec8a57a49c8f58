import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { invoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { closeDispute, openDispute } from '@local/stripe-sandbox/testing/disputes'
import { failRefund } from '@local/stripe-sandbox/testing/refund-outcomes'
import { testAdmin } from '#tests/support/app/app.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { reportToStripe } from '../reports/report-to-stripe.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
})
beforeEach(confirm)
afterEach(() => shop.breakCalls(undefined))
afterAll(() => shop.close())

const full = 40_700
type Input = Record<string, unknown>
type Response = { status: number; body: Record<string, unknown> }

async function confirm(): Promise<void> {
  const { status } = await shop.post('/api/admin/confirm-password', {
    password: testAdmin.password,
  })
  expect(status).toBe(200)
}

async function makeInvoice(): Promise<string> {
  const email = `dana.${randomUUID()}@example.com`
  const { id } = await shop.createInvoice({ customer: { name: 'Dana', email, phone: '' } })
  return id
}

const run = (name: string, input: Input, commandId: string = randomUUID()) =>
  shop.post(`/api/commands/${name}`, { commandId, input })
const take = (invoiceId: string, change: Input = {}) =>
  run('take-payment', {
    invoiceId,
    method: 'cash',
    amountCents: full,
    givenCents: null,
    reference: null,
    note: null,
    sendsReceipt: false,
    ...change,
  })
const refund = (paymentId: unknown, change: Input = {}, commandId?: string) =>
  run(
    'refund-payment',
    {
      paymentId,
      amountCents: full,
      partKeys: null,
      method: null,
      reference: null,
      reason: 'The part came back.',
      notifies: false,
      ...change,
    },
    commandId,
  )
const result = ({ body }: Response) => body['result'] as Record<string, unknown>
const cause = ({ body }: Response) => body['cause'] as { code: string; hint: string }
const reason = 'Wrong customer.'

async function read(invoiceId: string) {
  const [row] = await shop.database.database.transaction(admin, (query) =>
    query.unchecked<{ invoice: unknown }>('select public.read_invoice($1) as invoice', [invoiceId]),
  )
  return invoiceDetail.parse(row?.invoice)
}
async function outstandingIds() {
  const ids = (list: string) =>
    `(select array_agg(listed ->> 'id') from jsonb_array_elements(${list}) listed)`
  const [row] = await shop.database.database.transaction(admin, (query) =>
    query.unchecked<{ list: string[]; today: string[] }>(
      `select ${ids("public.list_invoices('open', 500) -> 'invoices'")} as list,
         ${ids("public.read_today() -> 'invoices'")} as today`,
    ),
  )
  return row
}
const linesOf = async (invoiceId: string) =>
  (await read(invoiceId)).ledger.map(({ kind, method, amountCents }) => [kind, method, amountCents])
const report = async () => {
  const failures: unknown[] = []
  await reportToStripe(shop.context, (_id, error) => failures.push(error))
  return failures
}
const atStripe = async (invoiceId: string) => {
  const { status, amount_remaining, amount_paid } = await shop.stripe.invoices.retrieve(invoiceId)
  return { status, amount_remaining, amount_paid }
}
const noticesWith = async (text: string) =>
  (
    await shop.database.owner.query(
      'select from internal.owner_notices where position($1 in line) > 0',
      [text],
    )
  ).rows
const paidInvoice = async (change: Input = {}) => {
  const id = await makeInvoice()
  const paymentId = result(await take(id, change))['paymentId']
  return { id, paymentId }
}
const paidByCard = async () => {
  const id = await makeInvoice()
  await shop.payByCard(await shop.checkout(id))
  await shop.deliverEvents()
  const [payment] = (await read(id)).ledger
  return { id, paymentId: payment?.id }
}

describe('a refund', () => {
  it('refunds a cash payment in part and then in full, and reports each refund to Stripe with a credit note', async () => {
    const { id, paymentId } = await paidInvoice()
    expect(await refund(paymentId, { amountCents: 10_000 })).toMatchObject({ status: 200 })
    expect(await read(id)).toMatchObject({ state: 'part_refunded', balanceCents: 0 })
    expect(await report()).toEqual([])
    expect(await refund(paymentId, { amountCents: full - 10_000 })).toMatchObject({ status: 200 })
    expect(await report()).toEqual([])
    expect(await read(id)).toMatchObject({ state: 'refunded', balanceCents: 0, paidCents: 0 })
    expect(await linesOf(id)).toEqual([
      ['payment', 'cash', full],
      ['refund', 'cash', -10_000],
      ['refund', 'cash', -(full - 10_000)],
    ])
    const notes = await shop.stripe.creditNotes.list({ invoice: id })
    expect(notes.data.map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual([
      10_000, 30_700,
    ])
    expect((await read(id)).ledger.map(({ reportState }) => reportState)).toEqual([
      'reported',
      'reported',
      'reported',
    ])
  })

  it('refunds a card payment at Stripe exactly once, even if any call to Stripe fails', async () => {
    const probe = await paidByCard()
    await refund(probe.paymentId)
    shop.drainCalls()
    await report()
    const calls = shop.drainCalls().length
    expect(calls).toBeGreaterThan(2)
    for (let index = 0; index < calls; index += 1) {
      for (const timing of ['before', 'after'] as const) {
        const { id, paymentId } = await paidByCard()
        expect((await refund(paymentId)).status).toBe(200)
        let count = -1
        shop.breakCalls(() => ((count += 1) === index ? timing : undefined))
        await report()
        shop.breakCalls(undefined)
        await shop.database.owner.query(
          'update internal.stripe_reports set next_attempt_at = now()',
        )
        await report()
        const notes = await shop.stripe.creditNotes.list({ invoice: id })
        const intent = (await shop.ledger()).find((row) => row.invoice_id === id)
        const refunds = await shop.stripe.refunds.list({
          payment_intent: intent?.payment_intent_id ?? '',
        })
        expect({
          index,
          timing,
          notes: notes.data.map(({ amount }) => amount),
          refunds: refunds.data.map(({ amount }) => amount),
        }).toEqual({ index, timing, notes: [full], refunds: [full] })
      }
    }
  }, 60_000)

  it('of a card payment uses another refund method, such as a bank transfer, when staff choose one', async () => {
    const { id, paymentId } = await paidByCard()
    await refund(paymentId, { method: 'other', reference: 'Bank transfer' })
    expect(await report()).toEqual([])
    expect((await linesOf(id)).at(-1)).toEqual(['refund', 'other', -full])
    const [note] = (await shop.stripe.creditNotes.list({ invoice: id })).data
    expect(note).toMatchObject({ amount: full, out_of_band_amount: full })
  })

  it('sends an email to the customer when staff chose to notify the customer', async () => {
    const { paymentId } = await paidInvoice()
    const { body } = await refund(paymentId, { notifies: true })
    const notices = (await shop.outbox('invoice_correction')).filter(({ dedupe_key }) =>
      dedupe_key.startsWith('refund:'),
    )
    expect(notices).toHaveLength(1)
    const { rows } = await shop.database.owner.query<{ text_body: string }>(
      'select text_body from public.emails where dedupe_key = $1',
      [notices[0]?.dedupe_key],
    )
    expect(rows[0]?.text_body).toContain('to you in cash.')
    const { rows: lines } = await shop.database.owner.query(
      `select kind from public.payments where id = $1`,
      [(body['result'] as { refundId: string }).refundId],
    )
    expect(lines).toEqual([{ kind: 'refund' }])
  })

  it('is made once when the command is repeated', async () => {
    const { id, paymentId } = await paidInvoice()
    const commandId = randomUUID()
    await Promise.all([refund(paymentId, {}, commandId), refund(paymentId, {}, commandId)])
    expect(await linesOf(id)).toHaveLength(2)
  })

  it('cannot exceed the part of the payment that is not refunded yet', async () => {
    const { id, paymentId } = await paidInvoice()
    expect(cause(await refund(paymentId, { amountCents: full + 1 }))).toMatchObject({
      code: 'TT101',
      hint: 'above_left',
    })
    const both = await Promise.all([
      refund(paymentId, { amountCents: full - 1 }),
      refund(paymentId, { amountCents: full - 1 }),
    ])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect(await linesOf(id)).toHaveLength(2)
  })

  it('is refused while the invoice has a balance', async () => {
    const { paymentId } = await paidInvoice({ amountCents: 10_000 })
    expect(cause(await refund(paymentId, { amountCents: 100 }))).toMatchObject({
      code: 'TT103',
      hint: 'has_balance',
    })
  })

  it('of a payment with cash rounding returns the rounded amount, and credits the exact amount at Stripe', async () => {
    await shop.database.owner.query('update public.booking_rules set rounds_cash = true')
    const email = `dana.${randomUUID()}@example.com`
    const { id } = await shop.createInvoice({
      customer: { name: 'Dana', email, phone: '' },
      lineItems: [{ description: 'Oil', amount: '10.03', quantity: 1 }],
    })
    const paymentId = result(await take(id, { amountCents: 1003 }))['paymentId']
    await shop.database.owner.query('update public.booking_rules set rounds_cash = false')
    expect(await report()).toEqual([])
    expect(result(await refund(paymentId, { amountCents: 1005 }))).toMatchObject({
      refundCents: 1005,
    })
    expect(await report()).toEqual([])
    const lines = await linesOf(id)
    expect(lines).toHaveLength(4)
    expect(lines).toEqual(
      expect.arrayContaining([
        ['cash_rounding', 'cash', -2],
        ['cash_rounding', 'cash', 2],
        ['payment', 'cash', 1005],
        ['refund', 'cash', -1005],
      ]),
    )
    expect(await read(id)).toMatchObject({ paidCents: 0, balanceCents: 0, state: 'refunded' })
    const [note] = (await shop.stripe.creditNotes.list({ invoice: id })).data
    expect(note?.amount).toBe(1003)
  })
})

describe('a failed refund or a dispute that the payment provider reports', () => {
  it('adds a single reversal to the ledger when the refund to a card fails', async () => {
    const { id, paymentId } = await paidByCard()
    await refund(paymentId, { amountCents: 10_000 })
    expect(await report()).toEqual([])
    const [made] = (await shop.stripe.refunds.list({ limit: 1 })).data
    await failRefund(shop.account, made?.id ?? '')
    await shop.deliverEvents()
    await shop.deliverEvents()
    expect(await linesOf(id)).toEqual([
      ['payment', 'card_online', full],
      ['refund', 'card_online', -10_000],
      ['reversal', 'card_online', 10_000],
    ])
    expect((await read(id)).ledger[0]).toMatchObject({ leftCents: full })
    expect(await noticesWith('A refund of $100.00 failed')).toHaveLength(1)
  })

  it('reverses the payment when a dispute is lost, so that the invoice has a balance again', async () => {
    const { id } = await paidByCard()
    const [charge] = (await shop.stripe.charges.list({ limit: 1 })).data
    const dispute = await openDispute(shop.account, charge?.id ?? '')
    await shop.deliverEvents()
    expect(await linesOf(id)).toHaveLength(1)
    await closeDispute(shop.account, dispute, 'lost')
    await shop.deliverEvents()
    await shop.deliverEvents()
    expect(await linesOf(id)).toEqual([
      ['payment', 'card_online', full],
      ['reversal', 'card_online', -full],
    ])
    expect(await read(id)).toMatchObject({ state: 'open', balanceCents: full, paidCents: 0 })
    expect(await atStripe(id)).toMatchObject({ status: 'paid' })
    expect(await outstandingIds()).toEqual({
      list: expect.arrayContaining([id]) as unknown,
      today: expect.arrayContaining([id]) as unknown,
    })
    expect(await noticesWith('A dispute over $407.00 was lost')).toHaveLength(1)
  })

  it('leaves the payment unchanged when a dispute is won', async () => {
    const { id } = await paidByCard()
    const [charge] = (await shop.stripe.charges.list({ limit: 1 })).data
    await closeDispute(shop.account, await openDispute(shop.account, charge?.id ?? ''), 'won')
    await shop.deliverEvents()
    expect(await linesOf(id)).toHaveLength(1)
  })
})

describe('step-up authentication with the password', () => {
  const revoke = () =>
    shop.database.owner.query('update internal.admin_sessions set confirmed_until = null')

  it('is required for a refund and a cancellation, and is valid for five minutes', async () => {
    const { id, paymentId } = await paidInvoice()
    await revoke()
    const refusal = { status: 403, body: { code: 'STEP_UP_REQUIRED' } }
    expect(await refund(paymentId)).toMatchObject(refusal)
    expect(await run('cancel-invoice', { invoiceId: id, reason, notifies: false })).toMatchObject(
      refusal,
    )
    expect(await linesOf(id)).toHaveLength(1)
    await confirm()
    await shop.database.owner.query(
      `update internal.admin_sessions set confirmed_until = now() where confirmed_until > now()`,
    )
    expect(await refund(paymentId)).toMatchObject(refusal)
    await confirm()
    expect((await refund(paymentId)).status).toBe(200)
  })

  it('fails with a wrong password, so that the refund is refused', async () => {
    await revoke()
    expect(
      await shop.post('/api/admin/confirm-password', { password: 'wrong password' }),
    ).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD' } })
    const { paymentId } = await paidInvoice()
    expect((await refund(paymentId)).status).toBe(403)
  })
})

describe('a price correction', () => {
  it('lowers the balance of an open invoice, down to zero but not below', async () => {
    const id = await makeInvoice()
    const correct = (amountCents: number) =>
      run('correct-invoice-price', { invoiceId: id, amountCents, reason })
    expect(result(await correct(700))).toEqual({ balanceCents: 40_000 })
    expect(await report()).toEqual([])
    expect(await atStripe(id)).toMatchObject({ status: 'open', amount_remaining: 40_000 })
    expect(cause(await correct(40_001))).toMatchObject({ code: 'TT102', hint: 'above_balance' })
    expect(result(await correct(40_000))).toEqual({ balanceCents: 0 })
    expect(await report()).toEqual([])
    expect(await atStripe(id)).toMatchObject({ status: 'paid', amount_remaining: 0 })
    expect(await linesOf(id)).toEqual([])
  })
})

describe('an invoice', () => {
  it('without a payment can be voided, and then accepts no payment', async () => {
    const id = await makeInvoice()
    const page = await shop.checkout(id)
    const voided = await run('void-invoice', { invoiceId: id, reason, notifies: true })
    expect(voided.status).toBe(200)
    expect(await shop.payByCard(page)).toBeUndefined()
    expect(cause(await take(id))).toMatchObject({ hint: 'invoice_void' })
    expect(await shop.post('/api/create-checkout', { invoiceId: id })).toMatchObject({
      status: 409,
      body: { code: 'NOT_PAYABLE' },
    })
    const { number: invoiceNumber } = await read(id)
    expect(await shop.post('/api/invoice/lookup', { invoiceNumber })).toMatchObject({
      status: 409,
      body: { code: 'NO_PAY_URL' },
    })
    expect(await report()).toEqual([])
    expect(await atStripe(id)).toMatchObject({ status: 'void' })
    expect(await read(id)).toMatchObject({
      state: 'void',
      balanceCents: 0,
      events: [{ kind: 'voided', reason }],
    })
  })

  it('whose price was corrected to zero cannot be voided, because Stripe counts it as paid', async () => {
    const id = await makeInvoice()
    const input = { invoiceId: id, reason, notifies: false }
    await run('correct-invoice-price', { invoiceId: id, amountCents: full, reason })
    expect(await read(id)).toMatchObject({ balanceCents: 0, can: { void: false } })
    const refused = { hint: 'not_outstanding' }
    expect(cause(await run('void-invoice', input))).toMatchObject(refused)
    expect(await report()).toEqual([])
    expect(await atStripe(id)).toMatchObject({ status: 'paid' })
    expect(cause(await run('void-invoice', input))).toMatchObject(refused)
  })

  it('that was voided stays void when the customer pays on a page that Stripe failed to close; the payment is refunded', async () => {
    const id = await makeInvoice()
    const page = await shop.checkout(id)
    shop.breakCalls(() => 'before')
    expect((await run('void-invoice', { invoiceId: id, reason, notifies: false })).status).toBe(200)
    shop.breakCalls(undefined)
    await shop.payByCard(page)
    await shop.deliverEvents()
    expect(await read(id)).toMatchObject({ state: 'void', paidCents: 0 })
    expect(await linesOf(id)).toHaveLength(2)
    await shop.database.owner.query('update internal.stripe_reports set next_attempt_at = now()')
    expect(await report()).toEqual([])
    expect(await atStripe(id)).toMatchObject({ status: 'void' })
  })

  it('with payments cannot be voided; it can be cancelled, which refunds all payments', async () => {
    const id = await makeInvoice()
    await take(id, { amountCents: 10_000 })
    await take(id, { amountCents: 5_000, method: 'check', reference: '1042' })
    const input = { invoiceId: id, reason, notifies: false }
    expect(cause(await run('void-invoice', input))).toMatchObject({ hint: 'was_paid' })
    expect(await report()).toEqual([])
    expect(result(await run('cancel-invoice', input))).toEqual({ refundCents: 15_000 })
    expect(await report()).toEqual([])
    expect(await read(id)).toMatchObject({ state: 'cancelled', balanceCents: 0, paidCents: 0 })
    expect(await linesOf(id)).toEqual([
      ['payment', 'cash', 10_000],
      ['payment', 'check', 5_000],
      ['refund', 'cash', -10_000],
      ['refund', 'check', -5_000],
    ])
    expect(await atStripe(id)).toMatchObject({ status: 'paid', amount_remaining: 0 })
    const notes = await shop.stripe.creditNotes.list({ invoice: id })
    expect(notes.data.map(({ amount }) => amount)).toEqual([full])
    expect(cause(await run('cancel-invoice', input))).toMatchObject({ hint: 'never_paid' })
  })

  it('that is cancelled after its only payment was reversed sends the customer a notice without a refund amount', async () => {
    const id = await makeInvoice()
    const taken = await take(id, { method: 'check', givenCents: null, reference: '1042' })
    const { paymentId } = result(taken)
    await run('return-check', { paymentId, reason: 'No funds.' })
    const cancelled = await run('cancel-invoice', { invoiceId: id, reason, notifies: true })
    expect(result(cancelled)).toEqual({ refundCents: 0 })
    const { number } = await read(id)
    const notices = (await shop.outbox()).filter(
      ({ subject, kind }) => kind !== 'invoice' && subject.includes(number ?? ''),
    )
    expect(notices).toMatchObject([
      { kind: 'invoice_correction', subject: `Invoice ${number ?? ''} is cancelled` },
    ])
  })

  it('that was written off has the state written off, and can still be paid', async () => {
    const id = await makeInvoice()
    expect((await run('write-off-invoice', { invoiceId: id, reason })).status).toBe(200)
    expect(await read(id)).toMatchObject({ state: 'written_off', balanceCents: full })
    expect(await report()).toEqual([])
    expect(await atStripe(id)).toMatchObject({ status: 'uncollectible' })
    expect((await take(id)).status).toBe(200)
    expect(await report()).toEqual([])
    expect(await read(id)).toMatchObject({ state: 'paid', balanceCents: 0 })
    expect(await atStripe(id)).toMatchObject({ status: 'paid' })
  })
})

describe('a payment that was recorded wrongly', () => {
  const correct = ({ id, paymentId }: { id: string; paymentId: unknown }, change: Input) =>
    run('correct-payment', {
      paymentId,
      invoiceId: id,
      method: 'cash',
      amountCents: full,
      reference: null,
      reason,
      ...change,
    })

  it('gets the correct amount, and only the corrected payment is reported to Stripe', async () => {
    const { id, paymentId } = await paidInvoice()
    expect(result(await correct({ id, paymentId }, { amountCents: 40_000 }))).toEqual({
      balanceCents: 700,
    })
    expect(await linesOf(id)).toEqual([
      ['payment', 'cash', full],
      ['reversal', 'cash', -full],
      ['payment', 'cash', 40_000],
    ])
    expect(await report()).toEqual([])
    expect((await read(id)).ledger.map(({ reportState }) => reportState)).toEqual([
      'reversed',
      null,
      'reported',
    ])
    expect(await atStripe(id)).toMatchObject({ status: 'open', amount_remaining: 700 })
  })

  it('that was already reported gets the correct payment method in the ledger, and remains unchanged at Stripe', async () => {
    const { id, paymentId } = await paidInvoice()
    await report()
    const change = { method: 'card_terminal', reference: '4242' }
    expect((await correct({ id, paymentId }, change)).status).toBe(200)
    expect(await report()).toEqual([])
    expect((await linesOf(id)).at(-1)).toEqual(['payment', 'card_terminal', full])
    expect((await read(id)).ledger.map(({ reportState }) => reportState)).toEqual([
      'reported',
      null,
      'corrected',
    ])
    expect(await atStripe(id)).toMatchObject({ status: 'paid', amount_paid: full })
  })

  it('cannot be corrected to a higher amount than was reported to Stripe', async () => {
    const paid = await paidInvoice({ amountCents: 10_000 })
    await report()
    expect(cause(await correct(paid, { amountCents: 10_001 }))).toMatchObject({
      hint: 'already_reported',
    })
  })

  it('cannot be corrected if it was paid by card online or refunded', async () => {
    const card = await paidByCard()
    expect(cause(await correct(card, {}))).toMatchObject({ hint: 'not_correctable' })
    const paid = await paidInvoice()
    await refund(paid.paymentId, { amountCents: 100 })
    expect(cause(await correct(paid, {}))).toMatchObject({ hint: 'not_correctable' })
  })
})
