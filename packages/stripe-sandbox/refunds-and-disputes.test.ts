import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDispute, openDispute } from './testing/disputes.ts'
import { openCheckout, openInvoice, paymentOf } from './testing/payments.ts'
import { completeRefund, failRefund } from './testing/refund-outcomes.ts'
import { openTestSandbox, type TestSandbox } from './testing/test-sandbox.ts'

let sandbox: TestSandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await openTestSandbox()
  stripe = sandbox.stripe
})
afterAll(() => sandbox.close())

const cardWithPendingRefunds = '4000 0000 0000 7726'

/** Pays a new invoice of 100 dollars by card and returns the invoice and its PaymentIntent with the charge. */
async function payByCard(number = '4242 4242 4242 4242') {
  const invoice = await openInvoice(stripe, 10_000)
  const session = await openCheckout(stripe, invoice)
  await sandbox.submitCard(session.url ?? '', { number })
  const payment = await paymentOf(stripe, session)
  await stripe.invoices.attachPayment(invoice.id, { payment_intent: payment })
  const [charge] = (await stripe.charges.list({ payment_intent: payment })).data
  if (!charge) throw new Error('The payment has no charge')
  return { invoice, payment, charge }
}

/** Delivers the pending events and returns the types of the events about the object with this id, sorted by name. */
async function deliveredEvents(id: string): Promise<string[]> {
  await sandbox.sandbox.deliverPendingEvents()
  return sandbox.webhook.received
    .filter(({ data }) => (data.object as { id: string }).id === id)
    .map(({ type }) => type)
    .toSorted()
}

describe('a refund that fails after it was created', () => {
  it('returns its amount to the account balance, and the amount can be refunded again', async () => {
    const { invoice, payment, charge } = await payByCard()
    const refund = await stripe.refunds.create({ payment_intent: payment, amount: 7_000 })
    await failRefund(sandbox.options, refund.id)
    expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({
      failure_reason: 'expired_or_canceled_card',
      status: 'failed',
    })
    expect(await deliveredEvents(refund.id)).toEqual([
      'refund.created',
      'refund.failed',
      'refund.updated',
    ])
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({
      amount_refunded: 0,
      refunded: false,
    })
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({ status: 'paid' })
    const again = await stripe.refunds.create({ payment_intent: payment })
    expect(again).toMatchObject({ amount: 10_000, status: 'succeeded' })
  })

  it('does not change the amount of the other refunds of the charge', async () => {
    const { payment, charge } = await payByCard()
    await stripe.refunds.create({ payment_intent: payment, amount: 1_000 })
    const rest = await stripe.refunds.create({ payment_intent: payment })
    await failRefund(sandbox.options, rest.id)
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 1_000 })
    await expect(
      stripe.refunds.create({ payment_intent: payment, amount: 9_001 }),
    ).rejects.toMatchObject({ param: 'amount' })
  })

  it('fails only once, and can be linked to no credit note', async () => {
    const { invoice, payment } = await payByCard()
    const refund = await stripe.refunds.create({ payment_intent: payment, amount: 1_000 })
    await failRefund(sandbox.options, refund.id)
    await expect(failRefund(sandbox.options, refund.id)).rejects.toThrow('status failed')
    const note = stripe.creditNotes.create({
      invoice: invoice.id,
      amount: 1_000,
      email_type: 'none',
      refunds: [{ refund: refund.id }],
    })
    await expect(note).rejects.toMatchObject({ param: 'refunds[0][refund]' })
    const whole = await stripe.creditNotes.create({
      invoice: invoice.id,
      amount: 10_000,
      email_type: 'none',
      out_of_band_amount: 10_000,
    })
    expect(whole).toMatchObject({ post_payment_amount: 10_000 })
  })
})

describe('a pending refund', () => {
  it('reduces the refundable amount, and succeeds or fails later', async () => {
    const { payment, charge } = await payByCard(cardWithPendingRefunds)
    const first = await stripe.refunds.create({ payment_intent: payment, amount: 4_000 })
    expect(first).toMatchObject({ pending_reason: 'processing', status: 'pending' })
    const second = await stripe.refunds.create({ payment_intent: payment, amount: 6_000 })
    await expect(stripe.refunds.create({ payment_intent: payment })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    })
    await completeRefund(sandbox.options, first.id)
    await failRefund(sandbox.options, second.id)
    const succeeded = await stripe.refunds.retrieve(first.id)
    expect(succeeded.status).toBe('succeeded')
    expect(succeeded).not.toHaveProperty('pending_reason')
    expect(await stripe.refunds.retrieve(second.id)).toMatchObject({ status: 'failed' })
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 4_000 })
    expect(await deliveredEvents(first.id)).toEqual(['refund.created', 'refund.updated'])
    await expect(completeRefund(sandbox.options, first.id)).rejects.toThrow('status succeeded')
  })
})

describe('a dispute', () => {
  it('marks the charge as disputed; the charge cannot be refunded, even after the dispute is closed as lost', async () => {
    const { payment, charge } = await payByCard()
    const id = await openDispute(sandbox.options, charge.id)
    expect(await stripe.disputes.retrieve(id)).toMatchObject({
      amount: 10_000,
      charge: charge.id,
      payment_intent: payment,
      status: 'needs_response',
    })
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ disputed: true })
    const refund = () => stripe.refunds.create({ payment_intent: payment })
    await expect(refund()).rejects.toMatchObject({ code: 'charge_disputed' })
    await closeDispute(sandbox.options, id, 'lost')
    await expect(refund()).rejects.toMatchObject({ code: 'charge_disputed' })
    const list = await stripe.disputes.list({ charge: charge.id })
    expect(list.data).toMatchObject([{ id, status: 'lost' }])
    expect(await deliveredEvents(id)).toEqual(['charge.dispute.closed', 'charge.dispute.created'])
  })

  it('that the account won leaves the payment refundable, and can be neither closed nor opened again', async () => {
    const { payment, charge } = await payByCard()
    const id = await openDispute(sandbox.options, charge.id)
    await closeDispute(sandbox.options, id, 'won')
    expect(await stripe.disputes.retrieve(id, { expand: ['charge'] })).toMatchObject({
      charge: { id: charge.id },
      is_charge_refundable: true,
      status: 'won',
    })
    await expect(closeDispute(sandbox.options, id, 'lost')).rejects.toThrow('already closed')
    await expect(openDispute(sandbox.options, charge.id)).rejects.toThrow('was disputed')
    const refund = await stripe.refunds.create({ payment_intent: payment })
    expect(refund).toMatchObject({ amount: 10_000 })
  })
})
