import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Stripe from 'stripe'
import { apiErrors, type ErrorCode } from '#contracts/api/errors.ts'
import { invoiceFileName } from '#domain/invoices/invoice-file-name.ts'
import { invoiceDocumentEndpoints } from '#contracts/invoices/invoice-documents.ts'
import { accepted } from '#domain/result.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Database } from '@local/postgres'
import { sendRefusal } from '#server/platform/http/errors.ts'
import { allowFraming, framedPagePolicy } from '#server/platform/http/security-headers.ts'
import { callStripe } from '#server/features/payments/call-stripe.ts'
import type { StripeConnection } from '#server/features/payments/stripe.ts'
import { readInvoiceDocument } from './invoice-document.ts'
import { documentUrls, type SignedInvoiceUrls } from './signed-invoice-urls.ts'
import type { InvoicePdfs } from '../pdf/invoice-pdfs.ts'
import { invoicePageFont, renderInvoicePage, renderInvoiceRefusal } from './render-invoice-page.ts'

type Dependencies = {
  readonly stripeConnection: StripeConnection
  readonly database: Database
  readonly pdfs: InvoicePdfs
  readonly invoiceLinks: SignedInvoiceUrls
  readonly currentShop: CurrentShop
}

type DocumentRequest = FastifyRequest<{ Params: { token: string } }>

const limit = { name: 'invoice-pdf', max: 60, windowSeconds: 300 }
const declared = { config: { rights: 'link', limit: [limit] } } as const

/**
 * Serves the PDF and the HTML page of an invoice to clients with a signed link, which they receive from the invoice
 * lookup.
 */
export function registerInvoiceDocuments(app: FastifyInstance, dependencies: Dependencies): void {
  const { stripeConnection, database, pdfs, currentShop } = dependencies
  app.get(invoiceDocumentEndpoints.pdf.path, declared, (request: DocumentRequest, reply) =>
    sendDocument(dependencies, request, reply, {
      refuse: (code) => refusePdf(request, reply, code),
      async send(invoice) {
        const print = await pdfs.prepare(invoice)
        const pdf = await print()
        return allowFraming(reply)
          .type('application/pdf')
          .header('content-disposition', `inline; filename="${invoiceFileName(invoice.number)}"`)
          .send(pdf)
      },
    }),
  )
  app.get(invoiceDocumentEndpoints.page.path, declared, (request: DocumentRequest, reply) =>
    sendDocument(dependencies, request, reply, {
      refuse(code) {
        const { status, message } = apiErrors[code]
        return sendPage(reply.code(status), renderInvoiceRefusal(currentShop(), message))
      },
      async send(invoice) {
        const document = await readInvoiceDocument(
          { stripe: stripeConnection.client, database, shop: currentShop() },
          invoice,
        )
        const { pdfUrl } = documentUrls(request.params.token)
        return sendPage(reply, renderInvoicePage(document, pdfUrl))
      },
    }),
  )
  app.get('/api/invoice/archivo-site.woff2', { config: { rights: 'public' } }, (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=604800')
      .type('font/woff2')
      .send(invoicePageFont),
  )
}

type DocumentReplies = {
  readonly send: (invoice: Stripe.Invoice) => Promise<FastifyReply>
  readonly refuse: (code: ErrorCode) => FastifyReply
}

/** Verifies the signed link and sends the invoice, with headers that prevent caching and indexing. */
async function sendDocument(
  { stripeConnection, invoiceLinks }: Dependencies,
  request: DocumentRequest,
  reply: FastifyReply,
  { send, refuse }: DocumentReplies,
): Promise<FastifyReply> {
  reply.headers({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
  })
  const invoiceId = invoiceLinks.open(request.params.token)
  if (!invoiceId) return refuse('LINK_EXPIRED')
  const sent = await callStripe({ missing: 'LINK_EXPIRED', otherwise: 'STRIPE_ERROR' }, async () =>
    accepted(await send(await stripeConnection.client.invoices.retrieve(invoiceId))),
  )
  if (sent.ok) return sent.value
  reply.log.warn(sent.refusal.logged, 'an invoice document could not be sent')
  return refuse(sent.refusal.code)
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return allowFraming(reply)
    .header('content-security-policy', framedPagePolicy(page))
    .type('text/html; charset=utf-8')
    .send(page)
}

/**
 * Responds with an error instead of the PDF: an HTML page for a browser, the API's JSON error format for other
 * clients.
 */
function refusePdf(request: FastifyRequest, reply: FastifyReply, code: ErrorCode): FastifyReply {
  allowFraming(reply)
  if (!request.headers.accept?.includes('text/html')) return sendRefusal(reply, code)
  const { status, message } = apiErrors[code]
  return reply.code(status).type('text/plain; charset=utf-8').send(message)
}
