import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { apiErrors, type ErrorCode } from '#contracts/api/errors.ts'
import {
  approveEstimate,
  claimInvoice,
  readEstimate,
  recordByPhone,
  saveEstimate,
  writeEstimate,
} from '#tests/support/estimates/approved-estimate.ts'
import {
  estimateDocument,
  estimateJob,
  laborLine,
  partLine,
} from '#tests/support/estimates/estimates.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { idOf } from '#server/features/payments/stripe.ts'
import { billClaimed } from './bill-estimate.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
})
afterAll(() => shop.close())
afterEach(() => shop.breakCalls(undefined))

const database = () => shop.database.database
const path = '/api/admin/estimate/invoice'
async function bill(estimateId: string, change: object = {}) {
  const { version: seenVersion } = await readEstimate(database(), estimateId)
  return shop.post(path, { estimateId, seenVersion, ...change })
}
const refusal = (code: ErrorCode) => ({
  status: apiErrors[code].status,
  body: { ok: false, code, message: apiErrors[code].message },
})
type Answered = { body: Record<string, unknown> }
const invoiceOf = ({ body }: Answered) =>
  shop.stripe.invoices.retrieve((body['invoice'] as { id: string }).id)
const invoicesOf = async (email: string) => {
  const [customer] = (await shop.stripe.customers.list({ email })).data
  return customer ? (await shop.stripe.invoices.list({ customer: customer.id })).data : []
}
const taxOf = (invoice: Stripe.Invoice) =>
  (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0)
const claims = async (id: string) =>
  (
    await shop.database.owner.query(
      'select state, invoice_id, number from public.estimate_invoices where estimate_id = $1 order by claimed_at',
      [id],
    )
  ).rows

/** Creates an approved estimate for a new customer, who has no invoices. */
async function approved(jobs = [estimateJob()]) {
  const email = `${randomUUID()}@example.com`
  const customer = { name: 'Maria Delgado', email, phone: '(650) 555-0167' }
  const document = estimateDocument(jobs, { customer })
  return { email, document, id: await approveEstimate(database(), document) }
}

describe('the invoice of an estimate', () => {
  it('bills the approved jobs with their descriptions, exact cents and tax', async () => {
    const { id } = await approved([
      estimateJob({
        lines: [
          laborLine,
          {
            ...partLine,
            quantityThousandths: 1000,
            unitPriceCents: 6849,
            description: 'Brake pads',
          },
          partLine,
          {
            ...laborLine,
            kind: 'discount',
            subtype: 'amount',
            description: 'Returning customer',
            quantityThousandths: 1000,
            unitPriceCents: 1500,
          },
        ],
      }),
    ])
    const response = await bill(id)
    expect(response).toMatchObject({
      status: 200,
      body: { ok: true, message: 'Invoice Created', emailSent: false, emailError: null },
    })
    const invoice = await invoiceOf(response)
    expect(invoice).toMatchObject({
      status: 'open',
      total_excluding_tax: 33_649,
      total: 35_269,
      description: expect.stringMatching(/^Estimate E-\d+, 2019 Subaru Outback$/),
      customer_name: 'Maria Delgado',
    })
    expect(taxOf(invoice)).toBe(1620)
    expect(invoice.lines.data.map(({ description, amount }) => [description, amount])).toEqual([
      ['Front brakes: Front pads and rotors, 1.2 h at $145.00', 17_400],
      ['Front brakes: Brake pads', 6849],
      ['Front brakes: Brake rotor, front, 316 mm, 2 at $54.50', 10_900],
      ['Front brakes: Returning customer', -1500],
    ])
    const read = await readEstimate(database(), id)
    expect(read.invoice).toMatchObject({
      state: 'made',
      number: invoice.number,
      totalCents: 35_269,
    })
    expect(read.invoice?.totalCents).toBe(read.authorizedCents)
  })

  it('does not contain declined jobs', async () => {
    const [wanted, declined] = [estimateJob(), estimateJob({ title: 'Coolant flush' })]
    const id = await writeEstimate(database(), estimateDocument([wanted, declined]))
    await recordByPhone(database(), id, { [wanted.key]: 'approved', [declined.key]: 'declined' })
    const invoice = await invoiceOf(await bill(id))
    expect(invoice.total).toBe((await readEstimate(database(), id)).authorizedCents)
    expect(JSON.stringify(invoice.lines.data)).not.toContain('Coolant')
  })

  it('is created only once by repeated and simultaneous requests', async () => {
    const { id, email } = await approved()
    const responses = await Promise.all([bill(id), bill(id), bill(id)])
    responses.push(await bill(id, { seenVersion: 1 }))
    const ids = responses.map(({ body }) => (body['invoice'] as { id: string }).id)
    expect(new Set(ids).size).toBe(1)
    expect(await invoicesOf(email)).toHaveLength(1)
  })

  it('is emailed to the customer if staff request that', async () => {
    const { id, email } = await approved()
    expect(await bill(id, { sendEmail: true })).toMatchObject({
      body: { message: 'Invoice Created & Sent', emailSent: true, isEmailInOutbox: true },
    })
    const emails = await shop.outbox('invoice')
    expect(emails.filter((sent) => sent.recipient_email === email)).toHaveLength(1)
  })

  it('can contain the largest permitted estimate: 40 jobs with 300 lines', async () => {
    const jobs = Array.from({ length: 40 }, (_, index) =>
      estimateJob({
        title: `Job ${index + 1}`,
        lines: Array.from({ length: index < 20 ? 8 : 7 }, () => ({
          ...partLine,
          unitPriceCents: 333,
        })),
      }),
    )
    const { id } = await approved(jobs)
    const invoice = await invoiceOf(await bill(id))
    expect(invoice.total).toBe((await readEstimate(database(), id)).authorizedCents)
  })
})

describe('a request to bill an estimate', () => {
  it('is refused when the jobs cost more than the approved amount, with a message that names the job, the amounts and the next step', async () => {
    const { id, document, email } = await approved()
    const [job] = document.jobs
    if (!job) throw new Error('There is a job.')
    const dearer = job.lines.map((line) => ({ ...line, unitPriceCents: line.unitPriceCents + 1 }))
    await saveEstimate(database(), id, { ...document, jobs: [{ ...job, lines: dearer }] })
    expect(await bill(id)).toEqual({
      status: 409,
      body: {
        ok: false,
        code: 'ABOVE_AUTHORIZED',
        message:
          'Front brakes: the price is $292.98, but only $292.95 was approved. Record an approval first.',
      },
    })
    expect(await invoicesOf(email)).toEqual([])
    await recordByPhone(database(), id, { [job.key]: 'approved' })
    expect((await invoiceOf(await bill(id))).total).toBe(29_298)
  })

  it('is refused when the work of a job changed after the approval, even if its price stayed the same', async () => {
    const { id, document, email } = await approved()
    const [job = estimateJob()] = document.jobs
    const changes = [
      { title: 'Rear brakes' },
      { lines: [laborLine, { ...partLine, subtype: 'used' }] },
    ]
    for (const change of changes) {
      await saveEstimate(database(), id, { ...document, jobs: [{ ...job, ...change }] })
      const title = change.title ?? job.title
      expect(await bill(id)).toMatchObject({
        body: {
          code: 'ABOVE_AUTHORIZED',
          message: `${title}: the job changed after the customer approved it. Record a new approval first.`,
        },
      })
    }
    expect(await invoicesOf(email)).toEqual([])
    await saveEstimate(database(), id, { ...document, jobs: [{ ...job, lines: [laborLine] }] })
    expect(await bill(id)).toMatchObject({ status: 200 })
  })

  it('is refused for an unknown estimate, without approved jobs, and if the estimate changed since the client read it', async () => {
    const draft = await writeEstimate(database())
    expect(await bill(draft)).toEqual(refusal('NOTHING_APPROVED'))
    expect(await shop.post(path, { estimateId: randomUUID(), seenVersion: 1 })).toEqual(
      refusal('ESTIMATE_NOT_FOUND'),
    )
    const { id } = await approved()
    expect(await bill(id, { seenVersion: 1 })).toEqual(refusal('ESTIMATE_CHANGED'))
    for (const wrong of [{ estimateId: 'x' }, { seenVersion: '1' }, { seenVersion: 1.5 }]) {
      expect(await bill(id, wrong)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    }
  })

  it('is refused without an email address of the customer, and changes neither the approval nor the state of the estimate', async () => {
    const customer = { name: 'Maria Delgado', email: '', phone: '(650) 555-0167' }
    const id = await approveEstimate(database(), estimateDocument([estimateJob()], { customer }))
    const before = await readEstimate(database(), id)
    expect(await bill(id)).toEqual(refusal('NO_EMAIL_FOR_INVOICE'))
    expect(await claims(id)).toEqual([])
    expect(await readEstimate(database(), id)).toEqual(before)
    const email = `${randomUUID()}@example.com`
    await database().transaction(admin, (query) =>
      query.unchecked(`select public.change_estimate_email($1, $2, $3, 'new_address')`, [
        id,
        before.version,
        email,
      ]),
    )
    const { state, authorizedCents, revision } = await readEstimate(database(), id)
    expect({ state, authorizedCents, revision }).toEqual({
      state: 'approved',
      authorizedCents: before.authorizedCents,
      revision: 1,
    })
    expect((await bill(id)).status).toBe(200)
    expect(await invoicesOf(email)).toMatchObject([{ total: before.authorizedCents }])
  })

  it('is refused without an odometer reading, with a message that asks for the reading', async () => {
    const { vehicle, ...document } = estimateDocument()
    const unread = { ...document, vehicle: { ...vehicle, odometerMiles: null } }
    const id = await approveEstimate(database(), unread)
    expect(await bill(id)).toMatchObject({
      body: {
        code: 'ESTIMATE_NOT_READY',
        message: 'The odometer reading is missing. Enter the reading on the estimate first.',
      },
    })
    expect(await claims(id)).toEqual([])
  })

  it('is refused when Stripe computes a different total; it then leaves no draft invoice, and the estimate can be billed again', async () => {
    const { id, email } = await approved()
    const claim = await claimInvoice(database(), id)
    // Simulates a line that somebody adds in Stripe before the invoice is finalized.
    shop.breakCalls(async ({ path: called }) => {
      const [, draft] = /invoices\/(in_\w+)\/add_lines$/.exec(called) ?? []
      if (draft) await shop.stripe.invoices.addLines(draft, { lines: [{ amount: 1 }] })
      return undefined
    })
    expect(await bill(id)).toEqual(refusal('TOTALS_DIFFER'))
    expect(await invoicesOf(email)).toEqual([])
    expect(await claims(id)).toMatchObject([{ state: 'failed' }])
    shop.breakCalls(undefined)
    expect((await bill(id)).status).toBe(200)
    expect(await claims(id)).toMatchObject([{ state: 'failed' }, { state: 'made' }])
    expect(claim.requestId).toBeTruthy()
  })

  it('leaves no draft when Stripe refuses to finalize the invoice', async () => {
    const { id, email } = await approved()
    shop.breakCalls(({ path: called }) =>
      called.endsWith('/finalize') ? 'unauthorized' : undefined,
    )
    expect(await bill(id)).toEqual(refusal('INVOICE_NOT_CREATED'))
    expect(await invoicesOf(email)).toEqual([])
    expect(await claims(id)).toMatchObject([{ state: 'failed' }])
  })
})

describe('an interrupted creation of the invoice of an estimate', () => {
  const steps = ['/customers', '/invoices', '/add_lines', '/finalize'] as const

  it.each(steps.flatMap((step) => [['before', step] as const, ['after', step] as const]))(
    'is completed by the job or by a repeated request after a Stripe outage %s the call to %s',
    async (timing, step) => {
      for (const recovery of ['job', 'repetition'] as const) {
        const { id, email } = await approved()
        shop.breakCalls(({ method, path: called }) =>
          method === 'POST' && called.endsWith(step) ? timing : undefined,
        )
        expect(await bill(id)).toEqual(refusal('INVOICE_PENDING'))
        expect(await claims(id)).toMatchObject([{ state: 'claimed' }])
        shop.breakCalls(undefined)
        if (recovery === 'job') await billClaimed(shop.context, failed, 0)
        else expect((await bill(id)).status).toBe(200)
        const [invoice, ...others] = await invoicesOf(email)
        expect(others).toEqual([])
        expect(invoice).toMatchObject({ status: 'open', total: 29_295 })
        expect(await claims(id)).toMatchObject([{ state: 'made', invoice_id: invoice?.id }])
      }
    },
  )

  it('can be completed days later, when Stripe no longer stores the idempotency keys', async () => {
    for (const step of ['/invoices', '/finalize'] as const) {
      const { id, email } = await approved()
      shop.breakCalls(({ method, path: called }) =>
        method === 'POST' && called.endsWith(step) ? 'after' : undefined,
      )
      await bill(id)
      shop.breakCalls(undefined)
      await shop.database.owner.query('delete from stripe_sandbox.idempotency_keys')
      await billClaimed(shop.context, failed, 0)
      expect(await invoicesOf(email)).toMatchObject([{ status: 'open', total: 29_295 }])
      expect(await claims(id)).toMatchObject([{ state: 'made' }])
    }
  })
})

const failed = (_requestId: string, error: unknown) => {
  throw error
}

describe('a voided invoice of an estimate', () => {
  it('allows staff to bill its estimate again', async () => {
    const { id, email } = await approved()
    const first = await invoiceOf(await bill(id))
    await shop.stripe.invoices.voidInvoice(first.id)
    await shop.deliverEvents()
    expect(await claims(id)).toMatchObject([{ state: 'voided' }])
    const second = await invoiceOf(await bill(id))
    expect(second.id).not.toBe(first.id)
    expect(second.number).not.toBe(first.number)
    const states = (await invoicesOf(email)).map(({ status }) => status)
    expect(new Set(states)).toEqual(new Set(['open', 'void']))
  })

  it('is detected by the next request to bill the estimate if no webhook event reported the void', async () => {
    const { id } = await approved()
    const first = await invoiceOf(await bill(id))
    await shop.stripe.invoices.voidInvoice(first.id)
    expect(await bill(id)).toEqual(refusal('ESTIMATE_CHANGED'))
    const second = await invoiceOf(await bill(id))
    expect(second).toMatchObject({ status: 'open', total: first.total })
    expect(await claims(id)).toMatchObject([{ state: 'voided' }, { state: 'made' }])
    await shop.deliverEvents()
    expect(await claims(id)).toMatchObject([{ state: 'voided' }, { state: 'made' }])
  })

  it('does not prevent a second invoice for its estimate, whereas a refunded invoice does', async () => {
    const { id } = await approved()
    const invoice = await invoiceOf(await bill(id))
    await shop.payByCard(await shop.checkout(invoice.id))
    await shop.deliverEvents()
    const [payment] = (await shop.stripe.invoicePayments.list({ invoice: invoice.id })).data
    await shop.stripe.refunds.create({
      payment_intent: idOf(payment?.payment.payment_intent ?? null),
    })
    await shop.deliverEvents()
    expect((await invoiceOf(await bill(id))).id).toBe(invoice.id)
    expect(await claims(id)).toMatchObject([{ state: 'made' }])
  })
})
