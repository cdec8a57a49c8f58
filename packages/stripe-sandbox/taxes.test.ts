import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerOf, openCheckout } from './testing/payments.ts'
import { openTestSandbox, sandboxUrl, type TestSandbox } from './testing/test-sandbox.ts'

let sandbox: TestSandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await openTestSandbox()
  stripe = sandbox.stripe
})
afterAll(() => sandbox.close())

type Line = Stripe.InvoiceAddLinesParams.Line
type TaxAmount = Stripe.InvoiceAddLinesParams.Line.TaxAmount

const salesTax = { display_name: 'Sales tax', inclusive: false, percentage: 9.125 }
const tax = (amount: number, taxable: number, change: object = {}): TaxAmount => ({
  amount,
  taxable_amount: taxable,
  tax_rate_data: { ...salesTax, ...change },
})

async function openDraft(): Promise<Stripe.Invoice> {
  const customer = await stripe.customers.create({ email: 'dana@example.com' })
  return stripe.invoices.create({
    customer: customer.id,
    collection_method: 'send_invoice',
    days_until_due: 7,
    currency: 'usd',
    pending_invoice_items_behavior: 'exclude',
  })
}
const draftOf = async (lines: Line[]) => stripe.invoices.addLines((await openDraft()).id, { lines })

describe('taxes that the client calculated', () => {
  it('are added to the total unchanged and summed by tax rate', async () => {
    const draft = await draftOf([
      { amount: 14_500, description: 'Consulting, 1 h at $145.00' },
      { amount: 8999, description: 'Paper', tax_amounts: [tax(821, 8999)] },
      { amount: 4550, description: 'Ink', tax_amounts: [tax(416, 4550)] },
      { amount: -2000, description: 'Discount' },
    ])
    expect(draft).toMatchObject({
      subtotal: 26_049,
      subtotal_excluding_tax: 26_049,
      total_excluding_tax: 26_049,
      total: 27_286,
      amount_due: 27_286,
      total_taxes: [{ amount: 1237, taxable_amount: 13_549, tax_behavior: 'exclusive' }],
    })
    const lines = draft.lines.data
    expect(lines.map((line) => [line.description, line.amount, line.taxes?.[0]?.amount])).toEqual([
      ['Consulting, 1 h at $145.00', 14_500, undefined],
      ['Paper', 8999, 821],
      ['Ink', 4550, 416],
      ['Discount', -2000, undefined],
    ])
    const invoice = await stripe.invoices.finalizeInvoice(draft.id)
    expect(invoice).toMatchObject({ status: 'open', total: 27_286, amount_remaining: 27_286 })
  })

  it('are shown on the hosted invoice and included in the charged amount', async () => {
    const { id } = await draftOf([{ amount: 10_000, tax_amounts: [tax(913, 10_000)] }])
    const invoice = await stripe.invoices.finalizeInvoice(id)
    const { pathname } = new URL(invoice.hosted_invoice_url ?? '')
    const page = (await sandbox.app.inject(pathname)).body.replaceAll(/<[^>]*>|\s+/g, ' ')
    expect(page).toMatch(/Subtotal +\$100\.00 +Tax +\$9\.13 +Total +\$109\.13/)
    const checkout = await openCheckout(stripe, invoice)
    expect(checkout.amount_total).toBe(10_913)
    await sandbox.submitCard(new URL(checkout.url ?? '', sandboxUrl).pathname)
    const paid = await stripe.paymentIntents.list({ customer: customerOf(invoice) })
    expect(paid.data.map(({ amount, status }) => [amount, status])).toContainEqual([
      10_913,
      'succeeded',
    ])
  })

  it('are not recalculated from the rate and the taxable amount', async () => {
    const draft = await draftOf([{ amount: 10_000, tax_amounts: [tax(914, 10_000)] }])
    expect(draft.total).toBe(10_914)
  })

  it('are not added to the total when they are included in the prices', async () => {
    const draft = await draftOf([
      { amount: 10_913, tax_amounts: [tax(913, 10_000, { inclusive: true })] },
    ])
    expect(draft).toMatchObject({ total: 10_913, total_excluding_tax: 10_000 })
    expect(draft.total_taxes).toMatchObject([{ amount: 913, tax_behavior: 'inclusive' }])
  })

  it('with equal fields refer to the same inactive tax rate', async () => {
    const draft = await draftOf([
      { amount: 1000, tax_amounts: [tax(91, 1000)] },
      { amount: 1000, tax_amounts: [tax(91, 1000)] },
      { amount: 1000, tax_amounts: [tax(88, 1000, { percentage: 8.75 })] },
    ])
    const totals = draft.total_taxes ?? []
    expect(totals.map(({ amount }) => amount)).toEqual([182, 88])
    const ids = totals.map((total) => total.tax_rate_details?.tax_rate ?? '')
    expect(await stripe.taxRates.retrieve(ids[0] ?? '')).toMatchObject({
      ...salesTax,
      active: false,
    })
  })
})

describe('lines that are added in one request', () => {
  it('are all refused when one of them is invalid', async () => {
    const draft = await openDraft()
    const withUnknownField = { amount: 1, cents: 5 }
    const invalidLines: [line: Line, error: object][] = [
      [withUnknownField, { code: 'parameter_unknown', param: 'lines[1][cents]' }],
      [{ description: 'x' }, { code: 'parameter_missing', param: 'lines[1][amount]' }],
      [{ amount: 1.5 }, { code: 'parameter_invalid_integer' }],
      [
        { amount: 1, tax_amounts: [{ amount: 1, taxable_amount: 1 } as TaxAmount] },
        { code: 'parameter_missing', param: 'lines[1][tax_amounts][0][tax_rate_data]' },
      ],
      [
        { amount: 1, tax_amounts: [tax(1, 1, { percentage: 9.12345 })] },
        { code: 'parameter_invalid_decimal' },
      ],
      [
        { amount: 1, tax_amounts: [tax(1, 1, { rate: 1 })] },
        { code: 'parameter_unknown', param: 'lines[1][tax_amounts][0][tax_rate_data][rate]' },
      ],
    ]
    for (const [line, error] of invalidLines) {
      const pending = stripe.invoices.addLines(draft.id, { lines: [{ amount: 1 }, line] })
      await expect(pending).rejects.toMatchObject({ statusCode: 400, ...error })
    }
    expect(await stripe.invoices.retrieve(draft.id)).toMatchObject({ total: 0 })
  })

  it('are limited to 250 for each invoice, and are refused for a finalized invoice', async () => {
    const draft = await openDraft()
    const lines = (count: number) => Array.from({ length: count }, () => ({ amount: 100 }))
    await stripe.invoices.addLines(draft.id, { lines: lines(200) })
    const tooMany = stripe.invoices.addLines(draft.id, { lines: lines(51) })
    await expect(tooMany).rejects.toMatchObject({ statusCode: 400, param: 'invoice' })
    await stripe.invoices.finalizeInvoice(draft.id)
    const late = stripe.invoices.addLines(draft.id, { lines: lines(1) })
    await expect(late).rejects.toMatchObject({ code: 'invoice_not_editable' })
  })

  it('are deleted together with their draft invoice', async () => {
    const draft = await draftOf([{ amount: 1000, tax_amounts: [tax(91, 1000)] }])
    await stripe.invoices.del(draft.id)
    const left = await stripe.invoiceItems.list({ customer: customerOf(draft) })
    expect(left.data).toEqual([])
  })
})
