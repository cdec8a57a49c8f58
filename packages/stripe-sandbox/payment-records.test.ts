import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payCash, reportCash } from './testing/payment-records.ts'
import { customerOf, openInvoice } from './testing/payments.ts'
import { openTestSandbox, type TestSandbox } from './testing/test-sandbox.ts'

let sandbox: TestSandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await openTestSandbox()
  stripe = sandbox.stripe
})
afterAll(() => sandbox.close())

const attach = (invoice: Stripe.Invoice, record: Stripe.PaymentRecord) =>
  stripe.invoices.attachPayment(invoice.id, { payment_record: record.id })

const reportRefund = (record: Stripe.PaymentRecord, reference: string, cents?: number) =>
  stripe.paymentRecords.reportRefund(record.id, {
    outcome: 'refunded',
    processor_details: { type: 'custom', custom: { refund_reference: reference } },
    ...(cents === undefined ? {} : { amount: { currency: 'usd', value: cents } }),
  })

/** Lists the event types that an invoice and its payments caused, oldest first. */
async function eventsOf(invoice: Stripe.Invoice): Promise<string[]> {
  const events = await stripe.events.list({ limit: 100 })
  return events.data
    .filter(({ data }) => {
      const object = data.object as { id: string; invoice?: string }
      return object.id === invoice.id || object.invoice === invoice.id
    })
    .map(({ type }) => type)
    .toReversed()
}

describe('a payment record', () => {
  it('contains the reported amount, payment method, customer and metadata', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const record = await reportCash(stripe, invoice, 4_000, {
      metadata: { payment_id: '7' },
      processor_details: { type: 'custom', custom: { payment_reference: 'Check 1042' } },
    })
    expect(await stripe.paymentRecords.retrieve(record.id)).toMatchObject({
      id: record.id,
      amount_guaranteed: { currency: 'usd', value: 4_000 },
      amount_refunded: { currency: 'usd', value: 0 },
      customer_details: { customer: customerOf(invoice) },
      metadata: { payment_id: '7' },
      payment_method_details: { custom: { display_name: 'Cash' } },
      processor_details: { custom: { payment_reference: 'Check 1042' } },
    })
  })

  it('is reported only once for an idempotency key', async () => {
    const invoice = await openInvoice(stripe)
    const { currency } = invoice
    const report = (value: number) =>
      stripe.paymentRecords.reportPayment(
        {
          amount_requested: { currency, value },
          customer_details: { customer: customerOf(invoice) },
          guaranteed: { guaranteed_at: 1_795_280_400 },
          initiated_at: 1_795_280_400,
          outcome: 'guaranteed',
          payment_method_details: { type: 'custom', custom: { display_name: 'Terminal' } },
        },
        { idempotencyKey: 'report-once' },
      )
    const [first, second] = await Promise.all([report(5_000), report(5_000)])
    expect(second.id).toBe(first.id)
    await expect(report(5_001)).rejects.toMatchObject({ type: 'StripeIdempotencyError' })
  })

  it('is included in a list only if its creation is later than created_after and earlier than created_before', async () => {
    const invoice = await openInvoice(stripe)
    sandbox.clock.now += 3_600_000
    const record = await reportCash(stripe, invoice)
    const list = await stripe.paymentRecords.list({ created_after: record.created - 1 })
    expect(list.data.map(({ id }) => id)).toEqual([record.id])
    const older = await stripe.paymentRecords.list({ created_before: record.created, limit: 100 })
    expect(older.data.map(({ id }) => id)).not.toContain(record.id)
    const newer = await stripe.paymentRecords.list({ created_after: record.created })
    expect(newer.data).toEqual([])
  })

  it('requires an amount, an outcome, a name of the payment method and an existing customer', async () => {
    const invoice = await openInvoice(stripe)
    const amount = (value: number) => ({ amount_requested: { currency: 'usd', value } })
    const method = {
      payment_method_details: { type: 'custom' as const, custom: { display_name: '' } },
    }
    await expect(reportCash(stripe, invoice, 1, amount(0))).rejects.toMatchObject({
      param: 'amount_requested[value]',
    })
    await expect(reportCash(stripe, invoice, 1, method)).rejects.toMatchObject({
      param: 'payment_method_details[custom][display_name]',
    })
    await expect(reportCash(stripe, invoice, 1, { outcome: 'failed' })).rejects.toMatchObject({
      param: 'outcome',
    })
    const missing = { customer_details: { customer: 'cus_missing' } }
    await expect(reportCash(stripe, invoice, 1, missing)).rejects.toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
    })
  })
})

describe('attaching a payment record', () => {
  it('lowers the remaining amount, and the last payment closes the invoice as paid', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const deposit = await reportCash(stripe, invoice, 4_000)
    expect(await attach(invoice, deposit)).toMatchObject({
      status: 'open',
      amount_paid: 4_000,
      amount_remaining: 6_000,
    })
    const rest = await reportCash(stripe, invoice, 6_000)
    expect(await attach(invoice, rest)).toMatchObject({
      status: 'paid',
      amount_paid: 10_000,
      amount_remaining: 0,
      amount_overpaid: 0,
    })
    expect(await eventsOf(invoice)).toEqual([
      'invoice.created',
      'invoiceitem.created',
      'invoice.finalized',
      'invoice_payment.paid',
      'invoice.updated',
      'invoice_payment.paid',
      'invoice.updated',
      'invoice.paid',
      'invoice.payment_succeeded',
    ])
  })

  it('lists the record as an invoice payment, which can be found by the id of the record', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const record = await payCash(stripe, invoice, 4_000)
    const expected = {
      amount_paid: 4_000,
      is_default: false,
      payment: { type: 'payment_record', payment_record: record.id },
      status: 'paid',
    }
    const paid = await stripe.invoicePayments.list({ invoice: invoice.id, status: 'paid' })
    expect(paid.data).toMatchObject([expected])
    const found = await stripe.invoicePayments.list({
      payment: { type: 'payment_record', payment_record: record.id },
    })
    expect(found.data).toMatchObject([expected])
    const byIntent = await stripe.invoicePayments.list({
      invoice: invoice.id,
      payment: { type: 'payment_intent' },
    })
    expect(byIntent.data).toMatchObject([{ status: 'open', is_default: true }])
    const expanded = await stripe.invoices.retrieve(invoice.id, {
      expand: ['payments.data.payment.payment_record'],
    })
    expect(expanded.payments?.data.map(({ payment }) => payment.payment_record)).toContainEqual(
      expect.objectContaining({ id: record.id, object: 'payment_record' }),
    )
  })

  it('increases amount_paid_off_stripe of the invoice, which responses contain only when expanded and events never contain', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    await payCash(stripe, invoice, 4_000)
    await payCash(stripe, invoice, 6_000)
    const plain = await stripe.invoices.retrieve(invoice.id)
    expect(plain).not.toHaveProperty('amount_paid_off_stripe')
    const expanded = await stripe.invoices.retrieve(invoice.id, {
      expand: ['amount_paid_off_stripe'],
    })
    expect(expanded.amount_paid_off_stripe).toBe(10_000)
    const [event] = (await stripe.events.list({ type: 'invoice.paid', limit: 1 })).data
    expect(event?.data.object).toMatchObject({ id: invoice.id, amount_paid: 10_000 })
    expect(event?.data.object).not.toHaveProperty('amount_paid_off_stripe')
    const unpaid = await openInvoice(stripe, 10_000)
    const none = await stripe.invoices.retrieve(unpaid.id, { expand: ['amount_paid_off_stripe'] })
    expect(none.amount_paid_off_stripe).toBe(0)
  })

  it('fails for a record that is too large, refunded, already attached, in another currency, of another customer or without a customer', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const other = await openInvoice(stripe, 10_000)
    const tooMuch = await reportCash(stripe, invoice, 10_001)
    const anonymous = await reportCash(stripe, invoice, 1_000, { customer_details: {} })
    const refunded = await reportCash(stripe, invoice, 1_000)
    await reportRefund(refunded, 'refund-before-attach')
    const euros = await reportCash(stripe, invoice, 1_000, {
      amount_requested: { currency: 'eur', value: 1_000 },
    })
    for (const record of [tooMuch, anonymous, refunded, euros]) {
      await expect(attach(invoice, record)).rejects.toMatchObject({
        statusCode: 400,
        param: 'payment_record',
      })
    }
    const own = await reportCash(stripe, invoice, 1_000)
    await expect(attach(other, own)).rejects.toMatchObject({ param: 'payment_record' })
    await attach(invoice, own)
    await expect(attach(invoice, own)).rejects.toMatchObject({ param: 'payment_record' })
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({ amount_paid: 1_000 })
    expect(await stripe.invoices.retrieve(other.id)).toMatchObject({ amount_paid: 0 })
  })

  it('credits a record once when concurrent requests attach it, and never pays more than the total', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const records = [await reportCash(stripe, invoice, 6_000), await reportCash(stripe, invoice)]
    const [first, full] = records as [Stripe.PaymentRecord, Stripe.PaymentRecord]
    const attempts = await Promise.allSettled([
      attach(invoice, first),
      attach(invoice, first),
      attach(invoice, full),
    ])
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { amount_paid: paid, amount_overpaid: over } = await stripe.invoices.retrieve(invoice.id)
    expect([6_000, 10_000]).toContain(paid)
    expect(over).toBe(0)
  })

  it('requires exactly one payment, and an invoice that is neither paid nor void', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const record = await reportCash(stripe, invoice, 1_000)
    await expect(stripe.invoices.attachPayment(invoice.id, {})).rejects.toMatchObject({
      code: 'parameter_missing',
    })
    const both = { payment_record: record.id, payment_intent: 'pi_any' }
    await expect(stripe.invoices.attachPayment(invoice.id, both)).rejects.toMatchObject({
      code: 'parameters_exclusive',
    })
    const late = await reportCash(stripe, invoice, 1_000)
    await payCash(stripe, invoice)
    await expect(attach(invoice, late)).rejects.toMatchObject({ statusCode: 400 })
    const voided = await openInvoice(stripe, 10_000)
    await stripe.invoices.voidInvoice(voided.id)
    const forVoided = await reportCash(stripe, voided, 1_000)
    await expect(attach(voided, forVoided)).rejects.toMatchObject({ statusCode: 400 })
  })

  it('pays an uncollectible invoice, which stays uncollectible until it is paid in full', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    await stripe.invoices.markUncollectible(invoice.id)
    const part = await reportCash(stripe, invoice, 4_000)
    expect(await attach(invoice, part)).toMatchObject({ status: 'uncollectible' })
    const rest = await reportCash(stripe, invoice, 6_000)
    expect(await attach(invoice, rest)).toMatchObject({ status: 'paid', amount_remaining: 0 })
  })

  it('prevents voiding the invoice, even after the payment is refunded; a paid invoice stays paid', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const record = await payCash(stripe, invoice, 4_000)
    await reportRefund(record, 'refund-of-deposit')
    await expect(stripe.invoices.voidInvoice(invoice.id)).rejects.toMatchObject({ statusCode: 400 })
    await stripe.invoices.markUncollectible(invoice.id)
    await expect(stripe.invoices.voidInvoice(invoice.id)).rejects.toMatchObject({ statusCode: 400 })
    const paid = await openInvoice(stripe, 10_000)
    await reportRefund(await payCash(stripe, paid), 'refund-of-paid')
    expect(await stripe.invoices.retrieve(paid.id)).toMatchObject({
      status: 'paid',
      amount_paid: 10_000,
    })
    await expect(stripe.invoices.voidInvoice(paid.id)).rejects.toMatchObject({ statusCode: 400 })
    await expect(stripe.invoices.markUncollectible(paid.id)).rejects.toMatchObject({
      statusCode: 400,
    })
  })
})

describe('reporting a refund', () => {
  it('is possible first for a part and then for the rest of a payment, and never for more than the payment', async () => {
    const record = await payCash(stripe, await openInvoice(stripe, 10_000))
    expect(await reportRefund(record, 'part', 2_500)).toMatchObject({
      amount_refunded: { currency: 'usd', value: 2_500 },
      amount_guaranteed: { value: 10_000 },
    })
    await expect(reportRefund(record, 'too-much', 7_501)).rejects.toMatchObject({
      param: 'amount[value]',
    })
    expect(await reportRefund(record, 'rest')).toMatchObject({ amount_refunded: { value: 10_000 } })
    await expect(reportRefund(record, 'more')).rejects.toMatchObject({ statusCode: 400 })
    expect(await stripe.paymentRecords.retrieve(record.id)).not.toHaveProperty('reported_refunds')
  })

  it('requires a reference that no other refund has, even among concurrent requests', async () => {
    const records = [
      await payCash(stripe, await openInvoice(stripe)),
      await payCash(stripe, await openInvoice(stripe)),
    ]
    const attempts = await Promise.allSettled(
      records.map((record) => reportRefund(record, 'same-reference', 1_000)),
    )
    expect(attempts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const amounts = await Promise.all(
      records.map(async ({ id }) => {
        const { amount_refunded: refunded } = await stripe.paymentRecords.retrieve(id)
        return refunded.value
      }),
    )
    expect(amounts.toSorted((left, right) => left - right)).toEqual([0, 1_000])
  })
})
