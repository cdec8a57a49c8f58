import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payCash, reportCash } from './testing/payment-records.ts'
import { customerOf, openInvoice } from './testing/payments.ts'
import { openTestSandbox, type TestSandbox } from './testing/test-sandbox.ts'

/**
 * Runs the same tests against the sandbox and, when STRIPE_TEST_KEY contains a test key, against Stripe in test mode.
 * Without a key, vitest skips the tests against Stripe.
 */
const key = process.env['STRIPE_TEST_KEY']
if (key !== undefined && !/^(sk|rk)_test_/.test(key))
  throw new Error('STRIPE_TEST_KEY is not a test key')

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openTestSandbox()
})
afterAll(() => sandbox.close())

describe('the sandbox', () => {
  runTests(() => sandbox.stripe)
})
describe.skipIf(key === undefined)(
  'Stripe in test mode (needs STRIPE_TEST_KEY)',
  { timeout: 60_000 },
  () => {
    runTests(() => new Stripe(key ?? '', { telemetry: false }))
  },
)

function runTests(connect: () => Stripe): void {
  let stripe: Stripe
  beforeAll(() => {
    stripe = connect()
  })
  const pay = async (invoice: Stripe.Invoice, amount: number, paymentMethod = 'pm_card_visa') =>
    stripe.paymentIntents.create({
      amount,
      confirm: true,
      currency: 'usd',
      customer: customerOf(invoice),
      payment_method: paymentMethod,
      allowed_payment_method_types: ['card'],
    })
  const attach = async (invoice: Stripe.Invoice, payment: Stripe.PaymentIntent) =>
    stripe.invoices.attachPayment(invoice.id, { payment_intent: payment.id })

  it('credits an attached payment to the invoice and lists it as an invoice payment', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const payment = await pay(invoice, 10_000)
    expect(await attach(invoice, payment)).toMatchObject({
      status: 'paid',
      amount_paid: 10_000,
      amount_remaining: 0,
    })
    const named = await stripe.invoicePayments.list({
      invoice: invoice.id,
      payment: { type: 'payment_intent', payment_intent: payment.id },
    })
    expect(named.data).toMatchObject([{ status: 'paid', amount_paid: 10_000 }])
  })

  it('returns status 400 for attaching a payment to a paid invoice', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    await attach(invoice, await pay(invoice, 10_000))
    const second = await pay(invoice, 10_000)
    await expect(attach(invoice, second)).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 400,
    })
  })

  it('returns status 400 for attaching a payment to a void invoice', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    await stripe.invoices.voidInvoice(invoice.id)
    const payment = await pay(invoice, 10_000)
    await expect(attach(invoice, payment)).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 400,
    })
  })

  it("counts the excess of a payment as overpaid and adds the excess to the customer's credit balance", async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const paid = await attach(invoice, await pay(invoice, 12_500))
    expect(paid).toMatchObject({ status: 'paid', amount_remaining: 0, amount_overpaid: 2_500 })
    expect(await stripe.customers.retrieve(customerOf(invoice))).toMatchObject({ balance: -2_500 })
  })

  it('leaves an invoice open after a partial payment', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const paid = await attach(invoice, await pay(invoice, 4_000))
    expect(paid).toMatchObject({ status: 'open', amount_paid: 4_000, amount_remaining: 6_000 })
  })

  it('credits a payment outside Stripe to an invoice, which then cannot be voided', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const record = await reportCash(stripe, invoice, 4_000)
    const paid = await stripe.invoices.attachPayment(invoice.id, {
      payment_record: record.id,
      expand: ['amount_paid_off_stripe'],
    })
    expect(paid).toMatchObject({
      status: 'open',
      amount_paid: 4_000,
      amount_paid_off_stripe: 4_000,
      amount_remaining: 6_000,
    })
    await expect(stripe.invoices.voidInvoice(invoice.id)).rejects.toMatchObject({ statusCode: 400 })
  })

  it('accepts a credit note above the remaining amount only if the credit note contains the refund of a payment record', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const { id: payment_record } = await payCash(stripe, invoice, 4_000)
    const refund_group = `conformance-${Date.now()}`
    await stripe.paymentRecords.reportRefund(payment_record, {
      amount: { currency: 'usd', value: 1_500 },
      outcome: 'refunded',
      processor_details: { type: 'custom', custom: { refund_reference: refund_group } },
    })
    const note = { invoice: invoice.id, amount: 7_500, email_type: 'none' as const }
    await expect(stripe.creditNotes.create(note)).rejects.toMatchObject({ statusCode: 400 })
    const link = { payment_record, refund_group }
    const issued = await stripe.creditNotes.create({
      ...note,
      refunds: [{ type: 'payment_record_refund', payment_record_refund: link }],
    })
    expect(issued).toMatchObject({
      pre_payment_amount: 6_000,
      post_payment_amount: 1_500,
      refunds: [{ amount_refunded: 1_500, payment_record_refund: link }],
      type: 'mixed',
    })
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({ status: 'paid' })
  })

  it('adds invoice lines in the order of the request, accepts negative amounts and keeps the taxes of the request', async () => {
    const customer = await stripe.customers.create({ email: 'taxed@example.com' })
    const draft = await stripe.invoices.create({
      customer: customer.id,
      collection_method: 'send_invoice',
      days_until_due: 7,
      currency: 'usd',
      pending_invoice_items_behavior: 'exclude',
    })
    const tax = (amount: number, taxable: number) => ({
      amount,
      taxable_amount: taxable,
      tax_rate_data: { display_name: 'Sales tax', inclusive: false, percentage: 9.125 },
    })
    const added = await stripe.invoices.addLines(draft.id, {
      lines: [
        { amount: 14_500, description: 'Consulting' },
        // The client sends 6999 cents as the taxable amount: 8999 minus the discount of 2000 (the third line). The tax
        // is deliberately one cent higher than the rate times the taxable amount.
        { amount: 8999, description: 'Paper', tax_amounts: [tax(640, 6999)] },
        { amount: -2000, description: 'Discount' },
      ],
    })
    expect(added).toMatchObject({ total: 22_139, total_excluding_tax: 21_499 })
    expect(added.total_taxes).toMatchObject([{ amount: 640, taxable_amount: 6999 }])
    expect(added.lines.data.map(({ description }) => description)).toEqual([
      'Consulting',
      'Paper',
      'Discount',
    ])
    expect(await stripe.invoices.finalizeInvoice(draft.id)).toMatchObject({ total: 22_139 })
  })

  it('declines a card with the error codes of the API', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    await expect(pay(invoice, 10_000, 'pm_card_chargeDeclined')).rejects.toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'generic_decline',
    })
  })

  it('refuses unknown parameters, unknown ids and a used idempotency key with other parameters', async () => {
    const unknown = stripe.customers.create({ emial: 'x' } as Stripe.CustomerCreateParams)
    await expect(unknown).rejects.toMatchObject({ statusCode: 400, code: 'parameter_unknown' })
    await expect(stripe.invoices.retrieve('in_missing')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    })
    const options = { idempotencyKey: `conformance-${Date.now()}` }
    await stripe.customers.create({ email: 'one@example.com' }, options)
    const other = stripe.customers.create({ email: 'two@example.com' }, options)
    await expect(other).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 })
  })

  it('refunds a payment only once', async () => {
    const payment = await pay(await openInvoice(stripe, 10_000), 10_000)
    expect(
      await stripe.refunds.create({ payment_intent: payment.id, reason: 'duplicate' }),
    ).toMatchObject({ status: 'succeeded', amount: 10_000 })
    const again = stripe.refunds.create({ payment_intent: payment.id })
    await expect(again).rejects.toMatchObject({ statusCode: 400, code: 'charge_already_refunded' })
  })
}
