import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addJobs, jobTotals } from '#domain/estimates/estimate-totals.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { anyJobs } from '#tests/support/estimates/any-estimate.ts'
import { approveEstimate, readEstimate } from '#tests/support/estimates/approved-estimate.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

let shop: PaymentApp
let cookie: string
beforeAll(async () => {
  shop = await createPaymentApp()
  cookie = await shop.logIn()
  await shop.database.owner.query(
    `update public.estimate_rules set registration_number = 'ARD 00123456', conditions = 'Warranty: 12 months.'`,
  )
})
afterAll(() => shop.close())

const database = () => shop.database.database
const open = (url: string) => shop.inject({ method: 'GET', url, headers: { cookie } })
const pdfOf = async (url: string) => readPdf((await open(url)).rawPayload)
const squeezed = (text: string) => text.replaceAll(/\s+/g, '')

async function bill(id: string): Promise<Stripe.Invoice> {
  const { version: seenVersion } = await readEstimate(database(), id)
  const { body } = await shop.post('/api/admin/estimate/invoice', { estimateId: id, seenVersion })
  return shop.stripe.invoices.retrieve((body['invoice'] as { id: string }).id)
}
async function documentsOf(invoice: Stripe.Invoice) {
  const { body } = await shop.post('/api/invoice/lookup', { invoiceNumber: invoice.number })
  return body['invoice'] as { pdfUrl: string; pageUrl: string }
}
const approved = (jobs = [estimateJob()]) => {
  const customer = { name: 'Łukasz Żółć', email: `${randomUUID()}@example.com`, phone: '' }
  return approveEstimate(
    database(),
    estimateDocument(jobs, { customer, internalNote: 'Order by 4' }),
  )
}

describe('an estimate and its invoice', () => {
  it('have equal totals in the domain code, the database, the authorizations, the PDFs, the estimate page and Stripe', async () => {
    const property = fc.asyncProperty(anyJobs, async (jobs) => {
      const id = await approved(jobs)
      const read = await readEstimate(database(), id)
      const all = addJobs(jobs.map(({ lines }) => jobTotals(lines, read.taxRate)))
      expect(read.jobs.reduce((sum, job) => sum + job.totalCents, 0)).toBe(all.total)
      expect(read.authorizedCents).toBe(all.total)
      expect(read.authorizations.at(-1)?.runningTotalCents).toBe(all.total)

      const invoice = await bill(id)
      expect(invoice.total).toBe(all.total)
      const taxes = (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0)
      expect(taxes).toBe(all.tax)

      const [total, tax] = [formatCents(all.total), formatCents(all.tax)]
      const { pdfUrl, pageUrl } = await documentsOf(invoice)
      const documents = [
        (await pdfOf(`/api/admin/estimate/${id}/pdf`)).text,
        (await pdfOf(pdfUrl)).text,
        (await open(pageUrl)).body.replaceAll(/<[^>]*>/g, ''),
      ].map(squeezed)
      const count = jobs.length === 1 ? '' : `of${jobs.length}jobs`
      for (const [index, phrase] of [`Total${count}`, 'Totaldue', 'Totaldue'].entries()) {
        expect(documents[index]).toContain(`Salestax,9.125%${tax}`)
        expect(documents[index]).toContain(`${phrase}${total}`)
      }
    })
    await fc.assert(property, { numRuns: 15 })
  }, 120_000)
})

describe('the printed documents', () => {
  it('of an invoice that bills an estimate contain the shop registration, the terms, part conditions, odometer and authorizations', async () => {
    const invoice = await bill(await approved())
    const { pdfUrl, pageUrl } = await documentsOf(invoice)
    const page = (await open(pageUrl)).body.replaceAll(/<[^>]*>/g, ' ')
    for (const text of [(await pdfOf(pdfUrl)).text, page].map(squeezed)) {
      for (const phrase of [
        'Automotive Repair Dealer ARD 00123456',
        'Warranty: 12 months.',
        'Part, new: Brake rotor, front, 316 mm',
        'Odometer: 71,506 mi',
        'Maria Delgado, by phone with ana',
        '+1 650 555 0167',
        'Authorized total: $292.95.',
      ]) {
        expect(text).toContain(squeezed(phrase))
      }
    }
  })

  it('of an invoice without an estimate contain the shop registration and no authorizations', async () => {
    const { number } = await shop.createInvoice()
    const { body } = await shop.post('/api/invoice/lookup', { invoiceNumber: number })
    const { pdfUrl } = body['invoice'] as { pdfUrl: string }
    const { text } = await pdfOf(pdfUrl)
    expect(text).toContain('Automotive Repair Dealer ARD 00123456')
    expect(text).toContain('Warranty: 12 months.')
    expect(text).not.toContain('Authorizations')
  })

  it('of an estimate are returned to admins only, contain no internal note, and forbid caching', async () => {
    const url = `/api/admin/estimate/${await approved()}/pdf`
    const response = await open(url)
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^inline; filename="E-\d+\.pdf"$/),
      'cache-control': 'no-store',
    })
    const { text } = await readPdf(response.rawPayload)
    expect(text).toContain('Łukasz Żółć')
    expect(text).not.toContain('Order by 4')
    expect((await shop.inject({ method: 'GET', url })).statusCode).toBe(401)
    for (const id of [randomUUID(), 'x', '%00']) {
      const unknown = await open(`/api/admin/estimate/${id}/pdf`)
      expect(unknown.json()).toMatchObject({ ok: false, code: 'ESTIMATE_NOT_FOUND' })
    }
  })
})
