import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerOf, openCheckout, openInvoice, paymentOf } from './testing/payments.ts'
import { openTestSandbox, type TestSandbox } from './testing/test-sandbox.ts'

let sandbox: TestSandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await openTestSandbox()
  stripe = sandbox.stripe
})
afterAll(() => sandbox.close())

describe('an invoice paid by card', () => {
  it('gets the status paid and causes a signed event for every step from its creation to its payment', async () => {
    const invoice = await openInvoice(stripe)
    expect(invoice).toMatchObject({ status: 'open', amount_due: 54_950, amount_remaining: 54_950 })
    expect(invoice.number).toMatch(/^ACME-\d{4}$/)

    const session = await openCheckout(stripe, invoice)
    const paid = await sandbox.submitCard(session.url ?? '')
    expect(paid.statusCode).toBe(303)
    expect(paid.headers.location).toBe(`https://shop.test/payment-success?session_id=${session.id}`)

    const complete = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['payment_intent'],
    })
    expect(complete).toMatchObject({
      payment_status: 'paid',
      status: 'complete',
      url: null,
      customer_details: { email: 'dana@example.com', name: 'Dana Whitfield' },
      payment_intent: {
        status: 'succeeded',
        amount_received: 54_950,
        metadata: { invoice_id: invoice.id },
      },
    })
    const intent = complete.payment_intent
    if (intent === null || typeof intent === 'string') throw new Error('not expanded')
    const settled = await stripe.invoices.attachPayment(invoice.id, { payment_intent: intent.id })
    expect(settled).toMatchObject({
      status: 'paid',
      amount_paid: 54_950,
      amount_remaining: 0,
      amount_overpaid: 0,
    })
    expect(settled.status_transitions.paid_at).toBe(sandbox.clock.now / 1000)

    const payments = await stripe.invoicePayments.list({
      invoice: invoice.id,
      payment: { type: 'payment_intent', payment_intent: intent.id },
    })
    expect(payments.data).toMatchObject([
      { status: 'paid', amount_paid: 54_950, is_default: false },
    ])

    expect(await sandbox.sandbox.deliverPendingEvents()).toBeGreaterThan(8)
    expect(sandbox.webhook.received.map((event) => event.type)).toEqual(
      expect.arrayContaining([
        'customer.created',
        'invoice.created',
        'invoice.finalized',
        'payment_intent.succeeded',
        'charge.succeeded',
        'checkout.session.completed',
        'invoice_payment.paid',
        'invoice.paid',
      ]),
    )
    expect(await sandbox.sandbox.deliverPendingEvents()).toBe(0)
  })
})

/**
 * Pays `cents` for the invoice through a Checkout Session.
 * @returns the id of the PaymentIntent.
 */
async function payCents(invoice: Stripe.Invoice, cents: number): Promise<string> {
  const session = await openCheckout(stripe, invoice, cents)
  await sandbox.submitCard(session.url ?? '')
  return paymentOf(stripe, session)
}

const balanceOf = async (invoice: Stripe.Invoice) => {
  const customer = await stripe.customers.retrieve(customerOf(invoice))
  return customer.deleted ? undefined : customer.balance
}

describe('attaching a payment', () => {
  it('with less than the amount due leaves the invoice open', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const first = await stripe.invoices.attachPayment(invoice.id, {
      payment_intent: await payCents(invoice, 4_000),
    })
    expect(first).toMatchObject({ status: 'open', amount_paid: 4_000, amount_remaining: 6_000 })
    const rest = await stripe.invoices.attachPayment(invoice.id, {
      payment_intent: await payCents(invoice, 6_000),
    })
    expect(rest).toMatchObject({ status: 'paid', amount_paid: 10_000, amount_remaining: 0 })
  })

  it("with more than the amount due adds the excess to the customer's credit balance, which reduces the next invoice", async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const paid = await stripe.invoices.attachPayment(invoice.id, {
      payment_intent: await payCents(invoice, 12_500),
    })
    expect(paid).toMatchObject({ status: 'paid', amount_remaining: 0, amount_overpaid: 2_500 })
    expect(await balanceOf(invoice)).toBe(-2_500)

    const customer = customerOf(invoice)
    const next = await stripe.invoices.create({
      customer,
      collection_method: 'send_invoice',
      days_until_due: 7,
    })
    await stripe.invoiceItems.create({ customer, invoice: next.id, amount: 6_000 })
    const finalized = await stripe.invoices.finalizeInvoice(next.id)
    expect(finalized).toMatchObject({
      total: 6_000,
      amount_due: 3_500,
      starting_balance: -2_500,
      ending_balance: 0,
    })
    expect(await balanceOf(invoice)).toBe(0)
    await stripe.invoices.voidInvoice(next.id)
    expect(await balanceOf(invoice)).toBe(-2_500)
  })

  it('fails for a paid or void invoice, an already attached payment and a payment of another customer', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const payment = await payCents(invoice, 10_000)
    const second = await payCents(invoice, 10_000)
    await stripe.invoices.attachPayment(invoice.id, { payment_intent: payment })
    for (const payment_intent of [payment, second]) {
      const attach = stripe.invoices.attachPayment(invoice.id, { payment_intent })
      await expect(attach).rejects.toMatchObject({ statusCode: 400 })
    }
    const other = await openInvoice(stripe, 10_000)
    const otherPayment = stripe.invoices.attachPayment(other.id, { payment_intent: second })
    await expect(otherPayment).rejects.toMatchObject({ statusCode: 400, param: 'payment_intent' })
    await stripe.invoices.voidInvoice(other.id)
    const own = await payCents(other, 10_000)
    await expect(
      stripe.invoices.attachPayment(other.id, { payment_intent: own }),
    ).rejects.toMatchObject({ statusCode: 400 })
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      amount_paid: 10_000,
      amount_overpaid: 0,
    })
    expect(await stripe.invoices.retrieve(other.id)).toMatchObject({
      status: 'void',
      amount_paid: 0,
    })
  })

  it('succeeds once when two payments of the full amount are attached concurrently', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const payments = [await payCents(invoice, 10_000), await payCents(invoice, 10_000)]
    const attempts = await Promise.allSettled(
      [...payments, ...payments].map((payment_intent) =>
        stripe.invoices.attachPayment(invoice.id, { payment_intent }),
      ),
    )
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      status: 'paid',
      amount_paid: 10_000,
      amount_overpaid: 0,
    })
    const paid = await stripe.invoicePayments.list({ invoice: invoice.id, status: 'paid' })
    expect(paid.data).toHaveLength(1)
  })
})

describe('a Checkout Session', () => {
  it('creates one charge when its form is submitted ten times concurrently', async () => {
    const session = await openCheckout(stripe, await openInvoice(stripe))
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => sandbox.submitCard(session.url ?? '')),
    )
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array<number>(10).fill(303))
    const charges = await stripe.charges.list({ payment_intent: await paymentOf(stripe, session) })
    expect(charges.data).toHaveLength(1)
    const completed = await stripe.events.list({ type: 'checkout.session.completed', limit: 100 })
    const own = completed.data.filter(
      ({ data }) => (data.object as { id: string }).id === session.id,
    )
    expect(own).toHaveLength(1)
  })

  it.each([
    ['4000000000000002', 'Your card was declined.', 'card_declined', 'generic_decline'],
    [
      '4000000000009995',
      'Your card has insufficient funds.',
      'card_declined',
      'insufficient_funds',
    ],
    ['4000000000000069', 'Your card has expired.', 'expired_card', undefined],
  ])(
    'declines the card %s, and charges the next card with the same PaymentIntent',
    async (number, message, code, declineCode) => {
      const session = await openCheckout(stripe, await openInvoice(stripe))
      const declined = await sandbox.submitCard(session.url ?? '', { number })
      expect(declined.statusCode).toBe(200)
      expect(declined.body).toContain(message)
      const payment = await paymentOf(stripe, session)
      const intent = await stripe.paymentIntents.retrieve(payment)
      expect(intent).toMatchObject({
        status: 'requires_payment_method',
        amount_received: 0,
        last_payment_error: { code },
      })
      expect(intent.last_payment_error?.decline_code).toBe(declineCode)
      expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
        status: 'open',
        payment_status: 'unpaid',
      })

      await sandbox.submitCard(session.url ?? '')
      expect(await paymentOf(stripe, session)).toBe(payment)
      const charges = await stripe.charges.list({ payment_intent: payment })
      expect(charges.data.map(({ status }) => status)).toEqual(['succeeded', 'failed'])
    },
  )

  it('expires at its expiry time and then cannot be paid', async () => {
    const session = await openCheckout(stripe, await openInvoice(stripe))
    sandbox.clock.now = session.expires_at * 1000
    const late = await sandbox.submitCard(session.url ?? '')
    expect(late.statusCode).toBe(410)
    const read = await stripe.checkout.sessions.retrieve(session.id)
    expect(read).toMatchObject({
      status: 'expired',
      payment_status: 'unpaid',
      url: null,
      payment_intent: null,
    })
    const [event] = (await stripe.events.list({ type: 'checkout.session.expired', limit: 1 })).data
    expect(event?.data.object).toMatchObject({ id: session.id })
  })

  it('can expire 30 minutes after its creation at the earliest', async () => {
    const now = Math.floor(sandbox.clock.now / 1000)
    const create = (expiresAt: number) =>
      stripe.checkout.sessions.create({
        mode: 'payment',
        line_items: [
          {
            price_data: {
              currency: 'usd',
              unit_amount: 1_000,
              product_data: { name: 'Desk lamp' },
            },
          },
        ],
        success_url: 'https://shop.test/done',
        expires_at: expiresAt,
      })
    expect(await create(now + 30 * 60)).toMatchObject({ expires_at: now + 30 * 60 })
    await expect(create(now + 30 * 60 - 1)).rejects.toMatchObject({ param: 'expires_at' })
  })

  it('cannot be expired by a request after it was paid', async () => {
    const session = await openCheckout(stripe, await openInvoice(stripe))
    await sandbox.submitCard(session.url ?? '')
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toMatchObject({
      statusCode: 400,
    })
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      payment_status: 'paid',
      status: 'complete',
    })
  })

  it('is listed by customer and status, and can be expired by a request', async () => {
    const invoice = await openInvoice(stripe)
    const session = await openCheckout(stripe, invoice)
    const open = await stripe.checkout.sessions.list({
      customer: customerOf(invoice),
      status: 'open',
    })
    expect(open.data.map(({ id }) => id)).toEqual([session.id])
    expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject({ status: 'expired' })
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toMatchObject({
      statusCode: 400,
    })
    expect((await sandbox.submitCard(session.url ?? '')).statusCode).toBe(410)
  })
})

describe('an invoice', () => {
  it('can be paid with a test payment method or marked as paid outside Stripe', async () => {
    const byCard = await openInvoice(stripe)
    const declined = stripe.invoices.pay(byCard.id, { payment_method: 'pm_card_chargeDeclined' })
    await expect(declined).rejects.toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code: 'card_declined',
    })
    const failed = await stripe.events.list({ type: 'invoice.payment_failed' })
    expect(failed.data).toHaveLength(1)
    expect(await stripe.invoices.pay(byCard.id, { payment_method: 'pm_card_visa' })).toMatchObject({
      status: 'paid',
      amount_paid: 54_950,
    })
    await expect(stripe.invoices.pay(byCard.id)).rejects.toMatchObject({ statusCode: 400 })

    const offStripe = await openInvoice(stripe)
    const paid = await stripe.invoices.pay(offStripe.id, {
      paid_out_of_band: true,
      expand: ['amount_paid_off_stripe'],
    })
    expect(paid).toMatchObject({
      status: 'paid',
      amount_remaining: 0,
      amount_paid_off_stripe: 54_950,
    })
    expect((await stripe.invoicePayments.list({ invoice: offStripe.id })).data).toMatchObject([
      { status: 'canceled' },
    ])
  })

  it('without an amount due gets the status paid when it is finalized', async () => {
    const { id: customer } = await stripe.customers.create({ email: 'free@example.com' })
    const draft = await stripe.invoices.create({
      customer,
      collection_method: 'send_invoice',
      days_until_due: 7,
    })
    expect(await stripe.invoices.finalizeInvoice(draft.id)).toMatchObject({
      status: 'paid',
      amount_due: 0,
      amount_paid: 0,
    })
  })

  it('can be deleted while it is a draft; after it is finalized, it can be voided but not deleted', async () => {
    const { id: customer } = await stripe.customers.create({ email: 'draft@example.com' })
    const draft = await stripe.invoices.create({ customer })
    const item = await stripe.invoiceItems.create({ customer, invoice: draft.id, amount: 100 })
    expect(await stripe.invoices.del(draft.id)).toMatchObject({ deleted: true })
    await expect(stripe.invoices.retrieve(draft.id)).rejects.toMatchObject({
      code: 'resource_missing',
    })
    await expect(stripe.invoiceItems.retrieve(item.id)).rejects.toMatchObject({
      code: 'resource_missing',
    })

    const open = await openInvoice(stripe)
    await expect(stripe.invoices.del(open.id)).rejects.toMatchObject({
      code: 'invoice_not_editable',
    })
    const late = stripe.invoiceItems.create({
      customer: customerOf(open),
      invoice: open.id,
      amount: 100,
    })
    await expect(late).rejects.toMatchObject({ code: 'invoice_not_editable' })
    await expect(stripe.invoices.update(open.id, { description: 'x' })).rejects.toMatchObject({
      code: 'invoice_not_editable',
    })
    const marked = await stripe.invoices.markUncollectible(open.id)
    expect(marked.status_transitions.marked_uncollectible_at).not.toBeNull()
    expect(await stripe.invoices.voidInvoice(open.id)).toMatchObject({ status: 'void' })
    await expect(stripe.invoices.pay(open.id, { paid_out_of_band: true })).rejects.toMatchObject({
      statusCode: 400,
    })
  })

  it('can be sent only with the collection method send_invoice and to a customer with an email address', async () => {
    const invoice = await openInvoice(stripe)
    expect(await stripe.invoices.sendInvoice(invoice.id)).toMatchObject({
      id: invoice.id,
      status: 'open',
    })
    const { id: customer } = await stripe.customers.create({ name: 'No address' })
    const unreachable = stripe.invoices.create({
      customer,
      collection_method: 'send_invoice',
      days_until_due: 7,
    })
    await expect(unreachable).rejects.toMatchObject({ statusCode: 400 })
    const automatic = await stripe.invoices.create({ customer })
    await expect(stripe.invoices.sendInvoice(automatic.id)).rejects.toMatchObject({
      statusCode: 400,
    })
  })

  it('gets a unique number when twenty invoices are finalized concurrently', async () => {
    const { id: customer } = await stripe.customers.create({ email: 'twenty@example.com' })
    const drafts = await Promise.all(
      Array.from({ length: 20 }, () => stripe.invoices.create({ customer })),
    )
    const final = await Promise.all(drafts.map(({ id }) => stripe.invoices.finalizeInvoice(id)))
    expect(new Set(final.map(({ number }) => number)).size).toBe(20)
  })
})

describe('a refund', () => {
  it('returns first a part and then the rest of a charge, and never more than the charge', async () => {
    const payment = await payCents(await openInvoice(stripe, 10_000), 10_000)
    const part = await stripe.refunds.create({
      payment_intent: payment,
      amount: 2_500,
      reason: 'duplicate',
    })
    expect(part).toMatchObject({ amount: 2_500, status: 'succeeded', payment_intent: payment })
    const tooMuch = stripe.refunds.create({ payment_intent: payment, amount: 7_501 })
    await expect(tooMuch).rejects.toMatchObject({ param: 'amount' })
    const rest = await Promise.allSettled(
      [1, 2, 3].map(() => stripe.refunds.create({ payment_intent: payment })),
    )
    expect(rest.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(stripe.refunds.create({ payment_intent: payment })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    })
    const list = await stripe.refunds.list({ payment_intent: payment })
    expect(list.data.map(({ amount }) => amount)).toEqual([7_500, 2_500])
    const [charge] = (
      await stripe.charges.list({ payment_intent: payment, expand: ['data.refunds'] })
    ).data
    expect(charge).toMatchObject({
      refunded: true,
      amount_refunded: 10_000,
      refunds: { data: [{ amount: 7_500 }, { amount: 2_500 }] },
    })
  })
})
