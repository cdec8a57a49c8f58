import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  openCheckout,
  openInvoice,
  openTestSandbox,
  type TestSandbox,
} from '#testing/stripe-sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openTestSandbox()
})
afterAll(() => sandbox.close())

describe('an invoice paid by card', () => {
  it('goes from draft to paid, and every step is told by a signed event', async () => {
    const { stripe, submitCard, webhook } = sandbox
    const invoice = await openInvoice(stripe)
    expect(invoice).toMatchObject({ status: 'open', amount_due: 54_950, amount_remaining: 54_950 })
    expect(invoice.number).toMatch(/^TT-\d{4}$/)

    const session = await openCheckout(stripe, invoice)
    const paid = await submitCard(session.url ?? '')
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
    expect(webhook.received.map((event) => event.type)).toEqual(
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
