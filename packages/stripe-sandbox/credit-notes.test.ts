import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payCash } from './testing/payment-records.ts'
import { customerOf, openCheckout, openInvoice, paymentOf } from './testing/payments.ts'
import { openTestSandbox, type TestSandbox } from './testing/test-sandbox.ts'

let sandbox: TestSandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await openTestSandbox()
  stripe = sandbox.stripe
})
afterAll(() => sandbox.close())

const credit = (
  invoice: Pick<Stripe.Invoice, 'id'>,
  params: Omit<Stripe.CreditNoteCreateParams, 'invoice'>,
) => stripe.creditNotes.create({ invoice: invoice.id, email_type: 'none', ...params })

/** Pays the invoice by card and returns the id of the PaymentIntent. */
async function payCard(invoice: Stripe.Invoice): Promise<string> {
  const session = await openCheckout(stripe, invoice)
  await sandbox.submitCard(session.url ?? '')
  const payment = await paymentOf(stripe, session)
  await stripe.invoices.attachPayment(invoice.id, { payment_intent: payment })
  return payment
}

async function reportRefund(record: Stripe.PaymentRecord, reference: string, cents: number) {
  return stripe.paymentRecords.reportRefund(record.id, {
    amount: { currency: 'usd', value: cents },
    outcome: 'refunded',
    processor_details: { type: 'custom', custom: { refund_reference: reference } },
  })
}

const typesOfLatestEvents = async (limit: number) =>
  (await stripe.events.list({ limit })).data.map(({ type }) => type).toReversed()

describe('a credit note of an open invoice', () => {
  it('lowers the remaining amount, which later payments can pay in full', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const note = await credit(invoice, {
      amount: 2_500,
      memo: 'Paper was damaged',
      metadata: { correction_id: '3' },
      reason: 'product_unsatisfactory',
    })
    expect(note).toMatchObject({
      amount: 2_500,
      customer: customerOf(invoice),
      invoice: invoice.id,
      memo: 'Paper was damaged',
      metadata: { correction_id: '3' },
      number: `${invoice.number ?? ''}-CN-01`,
      out_of_band_amount: null,
      post_payment_amount: 0,
      pre_payment_amount: 2_500,
      reason: 'product_unsatisfactory',
      refunds: [],
      status: 'issued',
      total: 2_500,
      type: 'pre_payment',
    })
    expect(await typesOfLatestEvents(2)).toEqual(['credit_note.created', 'invoice.updated'])
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      amount_due: 7_500,
      amount_remaining: 7_500,
      pre_payment_credit_notes_amount: 2_500,
      status: 'open',
      total: 10_000,
    })
    await payCash(stripe, await stripe.invoices.retrieve(invoice.id))
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      amount_overpaid: 0,
      amount_paid: 7_500,
      amount_remaining: 0,
      status: 'paid',
    })
    expect(await stripe.creditNotes.retrieve(note.id)).toEqual(note)
  })

  it('over the whole remaining amount closes the invoice as paid', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    await payCash(stripe, invoice, 4_000)
    const note = await credit(invoice, { amount: 6_000 })
    expect(note).toMatchObject({ type: 'pre_payment', pre_payment_amount: 6_000 })
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      amount_paid: 4_000,
      amount_remaining: 0,
      pre_payment_credit_notes_amount: 6_000,
      status: 'paid',
    })
    expect(await typesOfLatestEvents(5)).toEqual([
      'credit_note.created',
      'payment_intent.canceled',
      'invoice.updated',
      'invoice.paid',
      'invoice.payment_succeeded',
    ])
  })

  it('above the remaining amount refunds the excess from the partial payment, and has the type mixed', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const record = await payCash(stripe, invoice, 4_000)
    await reportRefund(record, 'mixed-refund', 1_500)
    const refunds = [
      {
        type: 'payment_record_refund' as const,
        payment_record_refund: { payment_record: record.id, refund_group: 'mixed-refund' },
      },
    ]
    await expect(credit(invoice, { amount: 7_500 })).rejects.toMatchObject({ statusCode: 400 })
    await expect(credit(invoice, { amount: 7_499, refunds })).rejects.toMatchObject({
      statusCode: 400,
    })
    const expand = ['refunds.refund']
    expect(await credit(invoice, { amount: 7_500, refunds, expand })).toMatchObject({
      post_payment_amount: 1_500,
      pre_payment_amount: 6_000,
      refunds: [
        {
          amount_refunded: 1_500,
          payment_record_refund: { payment_record: record.id, refund_group: 'mixed-refund' },
          type: 'payment_record_refund',
        },
      ],
      type: 'mixed',
    })
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      amount_paid: 4_000,
      amount_remaining: 0,
      post_payment_credit_notes_amount: 1_500,
      pre_payment_credit_notes_amount: 6_000,
      status: 'paid',
    })
  })

  it('cannot return an amount to the customer while nothing is paid', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    for (const returned of [{ out_of_band_amount: 1_000 }, { credit_amount: 1_000 }]) {
      await expect(credit(invoice, { amount: 1_000, ...returned })).rejects.toMatchObject({
        statusCode: 400,
      })
    }
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({ amount_remaining: 10_000 })
  })

  it('restores the remaining amount when it is voided; it can be voided once, and only before the invoice is paid', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const note = await credit(invoice, { amount: 2_500 })
    const voided = await stripe.creditNotes.voidCreditNote(note.id)
    expect(voided).toMatchObject({ status: 'void', voided_at: sandbox.clock.now / 1000 })
    expect(await typesOfLatestEvents(2)).toEqual(['credit_note.voided', 'invoice.updated'])
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      amount_due: 10_000,
      amount_remaining: 10_000,
      pre_payment_credit_notes_amount: 0,
    })
    await expect(stripe.creditNotes.voidCreditNote(note.id)).rejects.toMatchObject({
      statusCode: 400,
    })
    const whole = await credit(invoice, { amount: 10_000 })
    expect(whole.number).toMatch(/-CN-02$/)
    await expect(stripe.creditNotes.voidCreditNote(whole.id)).rejects.toMatchObject({
      statusCode: 400,
    })
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({ status: 'paid' })
  })
})

describe('a credit note of a paid invoice', () => {
  it('links refunds of the card payment, by default with the whole amount of each refund', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const payment = await payCard(invoice)
    const refund = await stripe.refunds.create({ payment_intent: payment, amount: 3_000 })
    const first = await credit(invoice, {
      amount: 1_000,
      refunds: [{ refund: refund.id, amount_refunded: 1_000 }],
    })
    expect(first).toMatchObject({
      post_payment_amount: 1_000,
      pre_payment_amount: 0,
      refunds: [{ amount_refunded: 1_000, refund: refund.id, type: 'refund' }],
      type: 'post_payment',
    })
    const tooMuch = credit(invoice, { amount: 3_000, refunds: [{ refund: refund.id }] })
    await expect(tooMuch).rejects.toMatchObject({ param: 'refunds[0][amount_refunded]' })
    const twice = { refund: refund.id, amount_refunded: 1_500 }
    await expect(credit(invoice, { amount: 3_000, refunds: [twice, twice] })).rejects.toMatchObject(
      { param: 'refunds[1][amount_refunded]' },
    )
    const rest = await credit(invoice, {
      amount: 2_000,
      refunds: [{ refund: refund.id, amount_refunded: 2_000, type: 'refund' }],
      expand: ['refunds.refund'],
    })
    expect(rest.refunds).toMatchObject([{ refund: { id: refund.id, amount: 3_000 } }])
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      amount_paid: 10_000,
      post_payment_credit_notes_amount: 3_000,
      pre_payment_credit_notes_amount: 0,
      status: 'paid',
    })
    const list = await stripe.creditNotes.list({ invoice: invoice.id })
    expect(list.data.map(({ id }) => id)).toEqual([rest.id, first.id])
  })

  it('can credit the whole total when it links the refund of the whole payment', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const refund = await stripe.refunds.create({ payment_intent: await payCard(invoice) })
    const unlinked = credit(invoice, { amount: 10_000, out_of_band_amount: 10_000 })
    await expect(unlinked).rejects.toMatchObject({ param: 'amount' })
    const note = await credit(invoice, { amount: 10_000, refunds: [{ refund: refund.id }] })
    expect(note).toMatchObject({ total: 10_000, post_payment_amount: 10_000 })
  })

  it('creates a refund of the charge for the amount in refund_amount', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const payment = await payCard(invoice)
    const note = await credit(invoice, { amount: 2_000, refund_amount: 2_000 })
    const [refund] = (await stripe.refunds.list({ payment_intent: payment })).data
    expect(refund).toMatchObject({ amount: 2_000, status: 'succeeded' })
    expect(note.refunds).toMatchObject([{ amount_refunded: 2_000, refund: refund?.id }])
    const cash = await openInvoice(stripe, 10_000)
    await payCash(stripe, cash)
    await expect(credit(cash, { amount: 2_000, refund_amount: 2_000 })).rejects.toMatchObject({
      param: 'refund_amount',
    })
  })

  it("adds its amount to the customer's credit balance, or records the amount as returned outside Stripe", async () => {
    const invoice = await openInvoice(stripe, 10_000)
    await payCash(stripe, invoice)
    const note = await credit(invoice, {
      amount: 3_000,
      credit_amount: 2_000,
      out_of_band_amount: 1_000,
    })
    expect(note).toMatchObject({ out_of_band_amount: 1_000, post_payment_amount: 3_000 })
    expect(await stripe.customers.retrieve(customerOf(invoice))).toMatchObject({ balance: -2_000 })
    const sums = [{}, { credit_amount: 999 }, { credit_amount: 600, out_of_band_amount: 401 }]
    for (const sum of sums) {
      await expect(credit(invoice, { amount: 1_000, ...sum })).rejects.toMatchObject({
        statusCode: 400,
      })
    }
    await expect(stripe.creditNotes.voidCreditNote(note.id)).rejects.toMatchObject({
      statusCode: 400,
    })
  })

  it('never raises the sum of credit notes and refunds above the total of the invoice', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const payment = await payCard(invoice)
    const outOfBand = (cents: number) =>
      credit(invoice, { amount: cents, out_of_band_amount: cents })
    await expect(outOfBand(10_001)).rejects.toMatchObject({ param: 'amount' })
    await outOfBand(4_000)
    await stripe.refunds.create({ payment_intent: payment, amount: 1_000 })
    await expect(outOfBand(5_001)).rejects.toMatchObject({ param: 'amount' })
    const attempts = await Promise.allSettled([outOfBand(5_000), outOfBand(5_000)])
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      post_payment_credit_notes_amount: 9_000,
    })
  })

  it('links only refunds of payments of the same invoice, and refuses a refund together with a payment record that it does not refund', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const record = await payCash(stripe, invoice)
    const other = await openInvoice(stripe, 10_000)
    const otherPayment = await payCard(other)
    const otherRecord = await payCash(stripe, await openInvoice(stripe, 10_000))
    await reportRefund(otherRecord, 'other-record', 1_000)
    const refund = await stripe.refunds.create({ payment_intent: otherPayment, amount: 1_000 })
    const recordRefund = (payment_record: string, refund_group: string) => ({
      type: 'payment_record_refund' as const,
      payment_record_refund: { payment_record, refund_group },
    })
    const param = 'refunds[0][payment_record_refund]'
    const invalidLinks = [
      [{ refund: refund.id }, 'refunds[0][refund]'],
      [{ refund: 're_missing' }, 'refunds[0][refund]'],
      [{ type: 'refund' as const }, 'refunds[0][refund]'],
      [recordRefund(otherRecord.id, 'other-record'), `${param}[payment_record]`],
      [recordRefund(record.id, 'other-record'), `${param}[refund_group]`],
      [{ type: 'payment_record_refund' as const }, param],
    ] as const
    for (const [link, expected] of invalidLinks) {
      await expect(credit(invoice, { amount: 1_000, refunds: [link] })).rejects.toMatchObject({
        statusCode: 400,
        param: expected,
      })
    }
  })
})

describe('the lines of a credit note', () => {
  const taxRate = { display_name: 'Sales tax', inclusive: false, percentage: 9.125 }

  /** Creates an open invoice with a taxed line of two units and a discount. */
  async function openTaxedInvoice(): Promise<Stripe.Invoice> {
    const { id: customer } = await stripe.customers.create({ email: 'taxed@example.com' })
    const draft = await stripe.invoices.create({ customer, currency: 'usd' })
    await stripe.invoices.addLines(draft.id, {
      lines: [
        {
          amount: 8_000,
          description: 'Paper',
          tax_amounts: [{ amount: 730, taxable_amount: 8_000, tax_rate_data: taxRate }],
        },
        { amount: -500, description: 'Discount' },
      ],
    })
    await stripe.invoiceItems.create({
      customer,
      invoice: draft.id,
      description: 'Desk lamp',
      quantity: 3,
      unit_amount_decimal: Stripe.Decimal.from('333.5'),
    })
    return stripe.invoices.finalizeInvoice(draft.id)
  }
  const lineOf = (invoice: Stripe.Invoice, index: number) =>
    invoice.lines.data[index] ?? raise('The invoice has too few lines')

  it('credit amounts and quantities of invoice lines, with taxes at the rate of the line', async () => {
    const invoice = await openTaxedInvoice()
    const paper = lineOf(invoice, 0)
    const rate = paper.taxes?.[0]?.tax_rate_details?.tax_rate ?? raise('The line has no tax')
    const note = await credit(invoice, {
      lines: [
        {
          type: 'invoice_line_item',
          invoice_line_item: paper.id,
          amount: 4_000,
          tax_amounts: [{ amount: 365, taxable_amount: 4_000, tax_rate: rate }],
        },
        { type: 'invoice_line_item', invoice_line_item: lineOf(invoice, 1).id, amount: -250 },
        { type: 'invoice_line_item', invoice_line_item: lineOf(invoice, 2).id, quantity: 2 },
        { type: 'custom_line_item', description: 'Goodwill', unit_amount: 100, quantity: 2 },
      ],
    })
    expect(note).toMatchObject({
      subtotal: 4_617,
      total: 4_982,
      total_excluding_tax: 4_617,
      total_taxes: [{ amount: 365, tax_behavior: 'exclusive', taxable_amount: 4_000 }],
    })
    const lines = await stripe.creditNotes.listLineItems(note.id)
    expect(lines.data).toMatchObject([
      { amount: 4_000, description: 'Paper', invoice_line_item: paper.id, quantity: null },
      { amount: -250, description: 'Discount' },
      { amount: 667, description: 'Desk lamp', quantity: 2 },
      { amount: 200, description: 'Goodwill', quantity: 2, unit_amount: 100 },
    ])
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      amount_remaining: invoice.total - 4_982,
    })
  })

  it('never credit more than the invoice line, and refer to an existing line and an existing tax rate', async () => {
    const invoice = await openTaxedInvoice()
    const paper = { type: 'invoice_line_item' as const, invoice_line_item: lineOf(invoice, 0).id }
    const lamp = { type: 'invoice_line_item' as const, invoice_line_item: lineOf(invoice, 2).id }
    await credit(invoice, { lines: [{ ...lamp, quantity: 2 }] })
    const tax = { amount: 1, taxable_amount: 10, tax_rate: 'txr_missing' }
    const missing = { ...lamp, invoice_line_item: 'il_missing' }
    const invalidLines: Stripe.CreditNoteCreateParams.Line[][] = [
      [{ ...lamp, quantity: 2 }],
      [{ ...lamp, amount: 100 }],
      [{ ...lamp, quantity: 1, amount: 100 }],
      [lamp],
      [missing],
      [{ ...paper, amount: 100 }],
      [{ ...paper, amount: 8_001, tax_amounts: '' }],
      [{ ...paper, amount: -100, tax_amounts: '' }],
      [{ ...paper, amount: 100, tax_amounts: [tax] }],
      [
        { ...paper, amount: 5_000, tax_amounts: '' },
        { ...paper, amount: 5_000, tax_amounts: '' },
      ],
      [{ type: 'custom_line_item', description: 'No price' }],
      [{ type: 'custom_line_item', unit_amount: 100 }],
      [{ type: 'custom_line_item', description: 'Nothing', unit_amount: 0 }],
    ]
    for (const lines of invalidLines) {
      await expect(credit(invoice, { lines })).rejects.toMatchObject({
        statusCode: 400,
        param: expect.stringMatching(/^lines/) as string,
      })
    }
    const note = await credit(invoice, { lines: [{ ...paper, amount: 100, tax_amounts: '' }] })
    expect(note).toMatchObject({ total: 100, total_taxes: [] })
  })

  it('are required unless the credit note has an amount, and cannot be combined with an amount', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    await expect(credit(invoice, {})).rejects.toMatchObject({ code: 'parameter_missing' })
    const line = { type: 'custom_line_item' as const, description: 'Goodwill', unit_amount: 100 }
    await expect(credit(invoice, { amount: 100, lines: [line] })).rejects.toMatchObject({
      code: 'parameters_exclusive',
    })
  })
})

it('only open and paid invoices can have credit notes', async () => {
  const { id: customer } = await stripe.customers.create({ email: 'draft@example.com' })
  const draft = await stripe.invoices.create({ customer })
  const voided = await openInvoice(stripe, 10_000)
  await stripe.invoices.voidInvoice(voided.id)
  const marked = await openInvoice(stripe, 10_000)
  await stripe.invoices.markUncollectible(marked.id)
  for (const invoice of [draft, voided, marked]) {
    await expect(credit(invoice, { amount: 100 })).rejects.toMatchObject({
      statusCode: 400,
      param: 'invoice',
    })
  }
})

function raise(message: string): never {
  throw new Error(message)
}
