import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { invoiceDetail, refundPreview } from '#contracts/invoices/invoice-detail.ts'
import { testAdmin } from '#tests/support/app/app.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { seeded } from '#tests/support/database/vehicle-model.ts'
import { approveEstimate, readEstimate } from '#tests/support/estimates/approved-estimate.ts'
import {
  estimateDocument,
  estimateJob,
  laborLine,
  partLine,
} from '#tests/support/estimates/estimates.ts'
import { reportToStripe } from '../reports/report-to-stripe.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
})
beforeEach(() => shop.post('/api/admin/confirm-password', { password: testAdmin.password }))
afterAll(() => shop.close())

const askAdmin = async (sql: string, values: unknown[]): Promise<unknown> => {
  const [row] = await shop.database.database.transaction(admin, (query) =>
    query.unchecked<{ result: unknown }>(`select ${sql} as result`, values),
  )
  return row?.result
}
const read = async (id: string) =>
  invoiceDetail.parse(await askAdmin('public.read_invoice($1)', [id]))
const run = (name: string, input: Record<string, unknown>) =>
  shop.post(`/api/commands/${name}`, { commandId: randomUUID(), input })
const preview = async (paymentId: string, amountCents: number) =>
  refundPreview.parse(
    await askAdmin('public.preview_refund($1, $2, null)', [paymentId, amountCents]),
  )
const report = async () => {
  const failures: unknown[] = []
  await reportToStripe(shop.context, (_id, error) => failures.push(error))
  expect(failures).toEqual([])
}
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** Pays an invoice in cash. Returns the id of the payment. */
async function pay(invoiceId: string, amountCents: number): Promise<string> {
  const { status, body } = await run('take-payment', {
    invoiceId,
    method: 'cash',
    amountCents,
    givenCents: null,
    reference: null,
    note: null,
    sendsReceipt: false,
  })
  expect(status).toBe(200)
  return (body['result'] as { paymentId: string }).paymentId
}

const refund = (paymentId: string, amountCents: number, partKeys: readonly string[] | null) =>
  run('refund-payment', {
    paymentId,
    amountCents,
    partKeys,
    method: null,
    reference: null,
    reason: 'Covered by warranty.',
    notifies: false,
  })
const hintOf = ({ body }: { body: Record<string, unknown> }) =>
  (body['cause'] as { hint?: string } | undefined)?.hint

/** Creates a paid invoice that bills an estimate with three jobs, two of which have taxed parts. */
async function paidEstimate() {
  const customer = { name: 'Maria', email: `${randomUUID()}@example.com`, phone: '' }
  const jobs = [
    estimateJob({ title: 'Front brakes', lines: [laborLine, partLine] }),
    estimateJob({ title: 'Slide pins', lines: [{ ...partLine, unitPriceCents: 2584 }] }),
    estimateJob({ title: 'Inspection', lines: [laborLine] }),
  ]
  const estimateId = await approveEstimate(
    shop.database.database,
    estimateDocument(jobs, { customer }),
  )
  const { version: seenVersion } = await readEstimate(shop.database.database, estimateId)
  const { body } = await shop.post('/api/admin/estimate/invoice', { estimateId, seenVersion })
  const { id } = body['invoice'] as { id: string }
  const { totalCents } = await read(id)
  return { id, totalCents, paymentId: await pay(id, totalCents) }
}

/** Creates a paid invoice with lines that staff typed, without an estimate. */
async function paidForm(amounts: readonly string[]) {
  const { id } = await shop.createInvoice({
    customer: { name: 'Dana', email: `${randomUUID()}@example.com`, phone: '' },
    lineItems: amounts.map((amount, index) => ({
      description: `Work ${index + 1}`,
      amount,
      quantity: 1,
    })),
  })
  const { totalCents } = await read(id)
  return { id, totalCents, paymentId: await pay(id, totalCents) }
}

describe('a refund of chosen jobs', () => {
  it('refunds the price of the jobs with exactly their tax, and only once', async () => {
    const { id, paymentId } = await paidEstimate()
    const before = await read(id)
    const pins = before.parts.find(({ title }) => title === 'Slide pins')
    if (!pins) throw new Error('The job is missing')
    expect(pins.leftTaxCents).toBeGreaterThan(0)
    const refunded = await refund(paymentId, pins.leftCents, [pins.key])
    expect(refunded.body['result']).toMatchObject({
      refundCents: pins.leftCents,
      taxCents: pins.leftTaxCents,
    })
    await report()
    const after = await read(id)
    expect(after).toMatchObject({ state: 'part_refunded', balanceCents: 0 })
    expect(after.creditNotes[0]).toMatchObject({
      amountCents: pins.leftCents,
      taxCents: pins.leftTaxCents,
    })
    expect(after.parts.map(({ title, leftCents }) => [title, leftCents === 0])).toEqual([
      ['Front brakes', false],
      ['Slide pins', true],
      ['Inspection', false],
    ])
    expect(hintOf(await refund(paymentId, pins.leftCents, [pins.key]))).toBe('parts_changed')
  })

  it('is refused if the amount differs from the unrefunded price of the jobs, and for a job of another invoice', async () => {
    const { paymentId, id } = await paidEstimate()
    const [job] = (await read(id)).parts
    expect(hintOf(await refund(paymentId, 100, [job?.key ?? '']))).toBe('parts_changed')
    expect(hintOf(await refund(paymentId, 100, [randomUUID()]))).toBe('parts_changed')
    expect((await read(id)).creditNotes).toEqual([])
  })

  it('credits the whole tax of the invoice after all jobs were refunded one by one', async () => {
    const { id, paymentId, totalCents } = await paidEstimate()
    const { parts, taxCents } = await read(id)
    for (const { key, leftCents } of parts) {
      expect((await refund(paymentId, leftCents, [key])).status).toBe(200)
    }
    const { creditNotes, state } = await read(id)
    expect(state).toBe('refunded')
    expect(sum(creditNotes.map(({ amountCents }) => amountCents))).toBe(totalCents)
    expect(sum(creditNotes.map((note) => note.taxCents))).toBe(taxCents)
  })
})

describe('a refund of an amount instead of chosen jobs', () => {
  it('contains a proportional share of the tax and of each job, exactly as the preview showed', async () => {
    const { id, paymentId, totalCents } = await paidEstimate()
    const { parts, taxCents } = await read(id)
    const shown = await preview(paymentId, 5001)
    expect(shown.parts).toHaveLength(3)
    expect(sum(shown.parts.map(({ amountCents }) => amountCents))).toBe(5001)
    const exactTax = (5001 * (taxCents ?? 0)) / totalCents
    expect(Math.abs(shown.taxCents - exactTax)).toBeLessThan(2)
    const refunded = await refund(paymentId, 5001, null)
    expect(refunded.body['result']).toMatchObject({ refundCents: 5001, taxCents: shown.taxCents })
    const after = await read(id)
    expect(after.parts.map(({ leftCents }) => leftCents)).toEqual(
      parts.map(({ leftCents }, index) => leftCents - (shown.parts[index]?.amountCents ?? 0)),
    )
  })

  it.each([1, 2, 3, 4, 5, 6])(
    'never credits a job above its price or loses a cent of tax, in a random sequence of refunds (seed %i)',
    async (seed) => {
      const random = seeded(seed)
      const { id, paymentId, totalCents } = await paidEstimate()
      const { taxCents } = await read(id)
      let left = totalCents
      for (let step = 0; left > 0; step += 1) {
        const job = (await read(id)).parts.find(({ leftCents }) => leftCents > 0)
        const isJob = random() < 0.3 && job !== undefined
        const cents = isJob ? job.leftCents : step > 5 ? left : Math.ceil(left * random())
        expect((await refund(paymentId, cents, isJob ? [job.key] : null)).status).toBe(200)
        left -= cents
        const { parts } = await read(id)
        expect(sum(parts.map(({ leftCents }) => leftCents))).toBe(left)
        expect(
          parts.every((part) => part.leftTaxCents >= 0 && part.leftTaxCents <= part.leftCents),
        ).toBe(true)
      }
      expect(sum((await read(id)).creditNotes.map((note) => note.taxCents))).toBe(taxCents)
    },
    30_000,
  )
})

describe('an invoice with lines that staff typed', () => {
  it('allows a refund of single lines that staff select, even with more lines than Stripe returns in one response', async () => {
    const amounts = Array.from({ length: 12 }, (_, index) => `${index + 1}.00`)
    const { id, paymentId } = await paidForm(amounts)
    const { parts } = await read(id)
    expect(parts.map(({ title, leftCents }) => [title, leftCents])).toEqual(
      amounts.map((_, index) => [`Work ${index + 1}`, (index + 1) * 100]),
    )
    expect((await refund(paymentId, 2300, ['11', '12'])).status).toBe(200)
    expect((await read(id)).parts.slice(-2).map(({ leftCents }) => leftCents)).toEqual([0, 0])
  })

  it('allows only a refund of an amount, not of single lines, if the shop’s database does not contain its lines', async () => {
    const { id, paymentId } = await paidForm(['10.00', '20.00'])
    const { owner } = shop.database
    await owner.query('alter table public.invoice_lines disable trigger prevent_history_change')
    await owner.query('delete from public.invoice_lines where invoice_id = $1', [id])
    await owner.query('alter table public.invoice_lines enable trigger prevent_history_change')
    expect((await read(id)).parts).toEqual([])
    expect(hintOf(await refund(paymentId, 1000, ['1']))).toBe('parts_changed')
    expect((await refund(paymentId, 1000, null)).status).toBe(200)
    // The credit note of the last refund names no invoice line, so later refunds cannot be assigned to invoice lines.
    await report()
    expect(await read(id)).toMatchObject({ parts: [], state: 'part_refunded' })
  })
})
