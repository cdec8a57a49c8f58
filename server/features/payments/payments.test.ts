import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { idOf } from './stripe.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
})
afterEach(() => shop.breakCalls(undefined))
afterAll(() => shop.close())

const rowsOf = async (invoiceId: string) =>
  (await shop.ledger()).filter((row) => row.invoice_id === invoiceId)
const receiptsOf = async (invoiceId: string) =>
  (await shop.outbox()).filter((email) => email.dedupe_key === `receipt:${invoiceId}`)
/**
 * Reads the notices to the owner that contain the text `about`. Includes the notices that were not emailed yet, because
 * the site collects the later notices in one email.
 */
const noticesAbout = async (about: string) =>
  (
    await shop.database.owner.query<{ line: string }>(
      `select line from internal.owner_notices where position($1 in line) > 0`,
      [about],
    )
  ).rows
const sessionIdIn = (url: string | undefined) =>
  new URL(url ?? '').searchParams.get('session_id') ?? ''
const verifySession = (sessionId: string, invoiceId?: string) =>
  shop.get(
    `/api/payment/session-verify?${new URLSearchParams({ sessionId, ...(invoiceId === undefined ? {} : { invoiceId }) })}`,
  )

/** Opens a checkout directly at Stripe, so that an invoice can be paid twice. */
async function otherCheckout(invoiceId: string, cents?: number): Promise<string> {
  const invoice = await shop.stripe.invoices.retrieve(invoiceId)
  const session = await shop.stripe.checkout.sessions.create({
    mode: 'payment',
    customer: idOf(invoice.customer),
    metadata: { invoice_id: invoiceId },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: cents ?? invoice.amount_remaining,
          product_data: { name: 'x' },
        },
      },
    ],
    success_url: `${shop.config.publicUrl}/payment-success?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: shop.config.publicUrl,
  })
  return session.url ?? ''
}

/** Creates and pays an invoice without delivering the webhook events of the payment. */
async function paidUnheard(): Promise<{ id: string; number: string; sessionId: string }> {
  const { id, number } = await shop.createInvoice()
  const back = await shop.payByCard(await shop.checkout(id))
  return { id, number, sessionId: sessionIdIn(back) }
}

describe('paying an invoice', () => {
  it('succeeds from the lookup of the invoice number to the receipt email', async () => {
    const { id, number } = await shop.createInvoice()
    const found = await shop.post('/api/invoice/lookup', { invoiceNumber: ` ${number} ` })
    expect(found).toMatchObject({
      status: 200,
      body: { ok: true, invoice: { id, number, amountDue: 40_700 }, testMode: true },
    })
    const back = await shop.payByCard(await shop.checkout(id))
    const returned = new URL(back ?? '')
    expect(returned.pathname).toBe('/payment-success')
    expect(returned.searchParams.get('invoice')).toBe(number)
    expect(returned.searchParams.get('invoice_id')).toBe(id)
    expect(await verifySession(sessionIdIn(back), id)).toMatchObject({
      status: 200,
      body: {
        ok: true,
        payment: {
          status: 'paid',
          invoiceId: id,
          invoiceNumber: number,
          amountPaid: 40_700,
          currency: 'usd',
          customerEmail: 'dana@example.com',
          description: 'Front brake pads and rotors; Brake fluid exchange',
        },
      },
    })
    expect(await rowsOf(id)).toMatchObject([{ amount_cents: 40_700, outcome: 'applied' }])
    expect(await receiptsOf(id)).toMatchObject([{ recipient_email: 'dana@example.com' }])
  })

  it('charges the exact total of the lines', async () => {
    const { id } = await shop.createInvoice({
      lineItems: [
        { description: 'Oil', amount: '19.99', quantity: 3 },
        { description: 'Washer', amount: '0.1', quantity: 1 },
        { description: 'Washer', amount: '0.2', quantity: 1 },
      ],
    })
    await shop.payByCard(await shop.checkout(id))
    await shop.deliverEvents()
    expect(await rowsOf(id)).toMatchObject([{ amount_cents: 6027 }])
  })

  it('is completed by the webhook alone when the customer does not return to the site', async () => {
    const { id } = await paidUnheard()
    expect(await rowsOf(id)).toEqual([])
    await shop.deliverEvents()
    expect(await rowsOf(id)).toMatchObject([{ outcome: 'applied' }])
    expect(await receiptsOf(id)).toHaveLength(1)
    expect((await shop.stripe.invoices.retrieve(id)).status).toBe('paid')
  })

  it('records nothing for a declined card, and allows another card in the same checkout', async () => {
    const { id } = await shop.createInvoice()
    const url = await shop.checkout(id)
    expect(await shop.payByCard(url, '4000 0000 0000 0002')).toBeUndefined()
    await shop.deliverEvents()
    expect(await rowsOf(id)).toEqual([])
    expect(await shop.checkout(id)).toBe(url)
    await shop.payByCard(url)
    await shop.deliverEvents()
    expect(await rowsOf(id)).toHaveLength(1)
  })
})

describe('a checkout', () => {
  it('is opened once for simultaneous requests', async () => {
    const { id } = await shop.createInvoice()
    const urls = await Promise.all([shop.checkout(id), shop.checkout(id), shop.checkout(id)])
    expect(new Set(urls).size).toBe(1)
  })

  it('replaces an older checkout whose amount differs from the balance', async () => {
    const { id } = await shop.createInvoice()
    const older = await otherCheckout(id, 100)
    const newer = await shop.checkout(id)
    expect(newer).not.toBe(older)
    const open = await shop.stripe.checkout.sessions.list({ status: 'open' })
    expect(open.data.filter((session) => session.metadata?.['invoice_id'] === id)).toHaveLength(1)
  })

  it('is refused with the reason if the invoice cannot be paid', async () => {
    const { id } = await paidUnheard()
    expect(await shop.post('/api/create-checkout', { invoiceId: id })).toMatchObject({
      status: 409,
      body: { ok: false, code: 'ALREADY_PAID', message: 'This invoice has already been paid.' },
    })
    const { id: voided } = await shop.createInvoice()
    await shop.stripe.invoices.voidInvoice(voided)
    expect(await shop.post('/api/create-checkout', { invoiceId: voided })).toMatchObject({
      status: 409,
      body: { code: 'NOT_PAYABLE' },
    })
    for (const invoiceId of ['in_unknown', 'x', '', 7, null, { $ne: 1 }]) {
      expect(await shop.post('/api/create-checkout', { invoiceId })).toMatchObject({
        status: 404,
        body: { ok: false, code: 'NOT_FOUND' },
      })
    }
  })

  it('is refused during an outage of Stripe, and works afterwards', async () => {
    const { id } = await shop.createInvoice()
    shop.breakCalls(() => 'before')
    expect(await shop.post('/api/create-checkout', { invoiceId: id })).toMatchObject({
      status: 502,
      body: { ok: false, code: 'CHECKOUT_UNAVAILABLE' },
    })
    shop.breakCalls(undefined)
    expect(await shop.checkout(id)).toContain('/sandbox/')
  })
})

describe('a second payment of one invoice', () => {
  it('is refunded in full, and the owner is notified once', async () => {
    const { id, number } = await shop.createInvoice()
    const first = await shop.checkout(id)
    const second = await otherCheckout(id)
    const [, back] = [await shop.payByCard(first), await shop.payByCard(second)]
    await shop.deliverEvents()
    await shop.deliverEvents()
    const rows = await rowsOf(id)
    expect(rows.map((row) => row.outcome).sort()).toEqual(['applied', 'refunded'])
    const refunded = rows.find((row) => row.outcome === 'refunded')
    const refunds = await shop.stripe.refunds.list({
      payment_intent: refunded?.payment_intent_id ?? '',
    })
    expect(refunds.data).toMatchObject([{ id: refunded?.refund_id, amount: 40_700 }])
    expect(await noticesAbout(number)).toHaveLength(1)
    expect(await receiptsOf(id)).toHaveLength(1)
    expect(await verifySession(sessionIdIn(back), id)).toMatchObject({
      status: 409,
      body: { ok: false, code: 'PAYMENT_REFUNDED' },
    })
  })

  it('is also refunded when the invoice was voided before the payment', async () => {
    const { id, number } = await shop.createInvoice()
    const url = await shop.checkout(id)
    await shop.stripe.invoices.voidInvoice(id)
    await shop.payByCard(url)
    await shop.deliverEvents()
    expect(await rowsOf(id)).toMatchObject([{ outcome: 'refunded' }])
    expect(await noticesAbout(number)).toHaveLength(1)
    expect(await receiptsOf(id)).toEqual([])
  })
})

describe('an overpayment', () => {
  it('is recorded and reported to the owner, and not refunded', async () => {
    const { id, number } = await shop.createInvoice()
    await shop.payByCard(await otherCheckout(id, 50_000))
    await shop.deliverEvents()
    expect(await rowsOf(id)).toMatchObject([
      { outcome: 'overpaid', amount_cents: 50_000, overpaid_cents: 9_300, refund_id: null },
    ])
    expect(await noticesAbout(number)).toMatchObject([
      { line: expect.stringContaining(`Invoice ${number} was overpaid by $93.00.`) },
    ])
  })
})

describe('the Stripe webhook', () => {
  it('refuses events that Stripe did not sign within the last five minutes', async () => {
    const event = { id: 'evt_forged', object: 'event', type: 'invoice.paid', data: { object: {} } }
    const refusal = { status: 400, body: { ok: false, code: 'BAD_SIGNATURE' } }
    expect(await shop.postEvent(event, { secret: 'whsec_wrong' })).toMatchObject(refusal)
    expect(await shop.postEvent(event, { secondsOff: -301 })).toMatchObject(refusal)
    expect(await shop.postEvent(event, { secondsOff: 301 })).toMatchObject(refusal)
    expect(await shop.post('/api/stripe/webhook', event)).toMatchObject(refusal)
    const { rows } = await shop.database.owner.query(
      `select from internal.stripe_events where id = 'evt_forged'`,
    )
    expect(rows).toEqual([])
  })

  it('returns 200 for events that are unknown or whose object does not exist', async () => {
    for (const [id, type, object] of [
      ['evt_unknown', 'some.new_type', { id: 'x_1' }],
      ['evt_foreign', 'checkout.session.completed', { id: 'cs_test_foreign' }],
      ['evt_gone', 'invoice.paid', { id: 'in_gone' }],
    ] as const) {
      expect(
        await shop.postEvent({ id, object: 'event', livemode: false, type, data: { object } }),
      ).toMatchObject({
        status: 200,
      })
    }
  })

  it('settles a payment once when events are repeated, simultaneous and out of order', async () => {
    const { id } = await paidUnheard()
    const events = await shop.stripe.events.list({ limit: 100 })
    const about = events.data.filter((event) => JSON.stringify(event).includes(id))
    // Stripe lists the newest event first, so the test delivers the newest event first and the oldest event last.
    const responses = await Promise.all([...about, ...about].map((event) => shop.postEvent(event)))
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]))
    for (const event of about) await shop.postEvent(event)
    await shop.deliverEvents()
    expect(await rowsOf(id)).toMatchObject([{ outcome: 'applied' }])
    expect(await receiptsOf(id)).toHaveLength(1)
    const payments = await shop.stripe.invoicePayments.list({ invoice: id, status: 'paid' })
    expect(payments.data).toHaveLength(1)
  })

  it('returns 500 when the event could not be handled, so that Stripe delivers it again', async () => {
    const { id, sessionId } = await paidUnheard()
    const event = {
      id: 'evt_again',
      object: 'event',
      livemode: false,
      type: 'checkout.session.completed',
      data: { object: { id: sessionId } },
    }
    shop.breakCalls(({ path }) => (path.endsWith('/attach_payment') ? 'before' : undefined))
    expect(await shop.postEvent(event)).toMatchObject({ status: 500 })
    shop.breakCalls(undefined)
    expect(await shop.postEvent(event)).toMatchObject({ status: 200 })
    expect(await rowsOf(id)).toHaveLength(1)
  })

  it('notifies the owner of a dispute once', async () => {
    const event = {
      id: 'evt_dispute',
      object: 'event',
      livemode: false,
      type: 'charge.dispute.created',
      data: { object: { id: 'dp_1', amount: 40_700, currency: 'usd' } },
    }
    await shop.postEvent(event)
    await shop.postEvent({ ...event, id: 'evt_dispute_2' })
    expect(await noticesAbout('$407.00 is disputed')).toHaveLength(1)
  })
})

describe('the verification of a payment', () => {
  it('refuses a forged id of a checkout session or an invoice', async () => {
    const { id } = await shop.createInvoice()
    expect(await verifySession('cs_test_forged', id)).toMatchObject({
      status: 404,
      body: { ok: false, code: 'PAYMENT_NOT_FOUND' },
    })
    expect(await shop.get(`/api/payment/verify?invoiceId=${id}`)).toMatchObject({
      status: 409,
      body: { ok: false, code: 'PAYMENT_PENDING' },
    })
    expect(await shop.get('/api/payment/verify')).toMatchObject({ status: 404 })
    expect(await shop.get('/api/payment/verify?invoiceId=../x')).toMatchObject({ status: 404 })
    expect(await shop.get('/api/payment/session-verify')).toMatchObject({ status: 404 })
  })

  it('refuses the checkout session of another invoice', async () => {
    const { id: other } = await shop.createInvoice()
    const { sessionId } = await paidUnheard()
    expect(await verifySession(sessionId, other)).toMatchObject({
      status: 404,
      body: { code: 'PAYMENT_NOT_FOUND' },
    })
    expect(await rowsOf(other)).toEqual([])
    // The server verifies the checkout session even when the return URL lacks the invoice id.
    expect(await verifySession(sessionId, '')).toMatchObject({ status: 200 })
  })

  it('masks an email address that was entered in the checkout and differs from the address on the invoice', async () => {
    const customer = await shop.stripe.customers.create({ name: 'Walk-in' })
    const draft = await shop.stripe.invoices.create({
      customer: customer.id,
      collection_method: 'charge_automatically',
      auto_advance: false,
      currency: 'usd',
    })
    await shop.stripe.invoiceItems.create({
      customer: customer.id,
      invoice: draft.id,
      amount: 1000,
      currency: 'usd',
      description: 'Tow',
    })
    await shop.stripe.invoices.finalizeInvoice(draft.id)
    // The customer and an attacker who guessed the invoice number get the same checkout.
    const [mine, theirs] = [await shop.checkout(draft.id), await shop.checkout(draft.id)]
    expect(theirs).toBe(mine)
    const back = await shop.payByCard(mine)
    expect(await verifySession(sessionIdIn(back), draft.id)).toMatchObject({
      status: 200,
      body: { payment: { status: 'paid', customerEmail: 'd•••@example.com' } },
    })
    expect(await receiptsOf(draft.id)).toMatchObject([{ recipient_email: 'dana.pays@example.com' }])
  })

  it('reports that an unpaid checkout session is not paid', async () => {
    const { id } = await shop.createInvoice()
    await shop.checkout(id)
    const [session] = (await shop.stripe.checkout.sessions.list({ limit: 1 })).data
    expect(await verifySession(session?.id ?? '', id)).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_PENDING' },
    })
  })

  it('by invoice id also settles the payment, and masks the email address', async () => {
    const { id } = await paidUnheard()
    const verified = await shop.get(`/api/payment/verify?invoiceId=${id}`)
    expect(verified).toMatchObject({
      status: 200,
      body: { payment: { status: 'paid', customerEmail: 'd•••@example.com' } },
    })
    expect(await rowsOf(id)).toHaveLength(1)
  })

  it('is refused during an outage of Stripe', async () => {
    const { id, sessionId } = await paidUnheard()
    shop.breakCalls(() => 'before')
    const refusal = { status: 502, body: { ok: false, code: 'VERIFICATION_UNAVAILABLE' } }
    expect(await verifySession(sessionId)).toMatchObject(refusal)
    expect(await shop.get(`/api/payment/verify?invoiceId=${id}`)).toMatchObject(refusal)
  })
})

describe('a request for the receipt', () => {
  it("sends the receipt once to the payer's address, even if the request names another address", async () => {
    const { id } = await paidUnheard()
    const requestReceipt = () =>
      shop.post('/api/send-payment-confirmation', {
        invoiceId: id,
        customerEmail: 'someone.else@example.com',
        customerName: '',
      })
    const responses = await Promise.all([requestReceipt(), requestReceipt(), requestReceipt()])
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200])
    expect(new Set(responses.map((response) => response.body['emailId'])).size).toBe(1)
    expect(await receiptsOf(id)).toMatchObject([{ recipient_email: 'dana@example.com' }])
  })

  it('is refused for an unpaid or unknown invoice', async () => {
    const { id } = await shop.createInvoice()
    expect(await shop.post('/api/send-payment-confirmation', { invoiceId: id })).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_PENDING' },
    })
    expect(
      await shop.post('/api/send-payment-confirmation', { invoiceId: 'in_none' }),
    ).toMatchObject({ status: 404 })
    expect(await shop.post('/api/send-payment-confirmation', {})).toMatchObject({ status: 400 })
    expect(await receiptsOf(id)).toEqual([])
  })
})
