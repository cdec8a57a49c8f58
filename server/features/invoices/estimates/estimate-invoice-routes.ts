import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ResponseOf, RequestOf } from '#contracts/api/endpoint.ts'
import { estimateInvoiceEndpoints } from '#contracts/estimates/estimate-invoices.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { requireAdminName } from '#server/features/admin-session/accounts/require-admin-name.ts'
import { failureFields } from '#server/features/payments/stripe.ts'
import { type Refusal, serve } from '#server/platform/http/serve-endpoint.ts'
import { billEstimate } from './bill-estimate.ts'
import type { InvoiceDependencies } from '../invoice-dependencies.ts'
import { mailInvoice, notMailed } from '../mail-invoice.ts'
import { presentInvoice } from '../present-invoice.ts'
import { type EstimatePdf, createEstimatePdf } from '../pdf/create-estimate-pdf.ts'

const { bill, pdf } = estimateInvoiceEndpoints
const adminLimit = { name: 'estimate-invoice', max: 60, windowSeconds: 60 }

/** Routes that bill an estimate, and render the PDF of an estimate for staff (docs/product.md 15.20, 15.24). */
export function registerEstimateInvoices(
  app: FastifyInstance,
  dependencies: InvoiceDependencies,
): void {
  serve(app, bill).with({
    limit: [adminLimit],
    invalid: { code: 'BAD_REQUEST' },
    handle: (input, { request }) => billAndMail(dependencies, input, request),
    present: (response) => response,
  })
  serve(app, pdf).with({
    limit: [adminLimit],
    invalid: { code: 'ESTIMATE_NOT_FOUND' },
    handle: ({ id }) => print(dependencies, id),
    present: ({ bytes, fileName }, reply) =>
      reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename="${fileName}"`)
        .send(bytes),
  })
}

async function print(
  { database, currentShop }: InvoiceDependencies,
  id: string,
): Promise<Result<EstimatePdf, Refusal>> {
  const printed = await createEstimatePdf({ database, shop: currentShop() }, id, false)
  return printed ? accepted(printed) : refused({ code: 'ESTIMATE_NOT_FOUND' })
}

async function billAndMail(
  dependencies: InvoiceDependencies,
  { estimateId, seenVersion, sendEmail }: RequestOf<typeof bill>,
  request: FastifyRequest,
): Promise<Result<ResponseOf<typeof bill>, Refusal>> {
  const { stripeConnection, database, now } = dependencies
  if (stripeConnection.mode === 'not_set_up') return refused({ code: 'PAYMENTS_NOT_SET_UP' })
  const byName = await requireAdminName(dependencies, request)
  const shop = { stripe: stripeConnection.client, database, now }
  const billed = await billEstimate(shop, { estimateId, seenVersion, byName })
  if (!billed.ok) return billed
  const invoice = billed.value
  const { cause, ...mailed } = sendEmail ? await mailInvoice(dependencies, invoice) : notMailed
  if (cause) request.log.warn({ ...failureFields(cause) }, 'an invoice could not be emailed')
  const message = mailed.emailSent ? 'Invoice Created & Sent' : 'Invoice Created'
  return accepted({
    ok: true,
    message,
    invoice: presentInvoice(invoice),
    ...mailed,
  })
}
