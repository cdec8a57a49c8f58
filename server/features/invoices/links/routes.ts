import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  emailInvoiceCommand as emailInvoiceEndpoint,
  handOverInvoiceEndpoint,
  type LinkedInvoice,
  printInvoiceEndpoint,
} from '#contracts/invoices/linked-invoice.ts'
import { accepted, refused } from '#domain/result.ts'
import type { Database } from '@local/postgres'
import { commandRoute } from '#server/features/commands/run-command.ts'
import { createCheckout } from '#server/features/payments/checkout/create-checkout.ts'
import type { PaymentContext } from '#server/features/payments/payment-context.ts'
import {
  createLinkPages,
  type LinkPageContext,
  type OpenedLink,
  sendPage,
} from '#server/features/visit-page/link-pages.ts'
import { pathParameter } from '#server/platform/http/path-parameter.ts'
import { declareRoutes } from '#server/platform/http/declare-routes.ts'
import { acceptFormBodies } from '#server/platform/http/pages/form-bodies.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { QueueFullError } from '#server/platform/queue/work-queue.ts'
import { unknownNumberLimits } from '../lookup/lookup-limits.ts'
import { emailInvoiceCommand } from './email-invoice.ts'
import { findLinkedInvoice, makeInvoiceUrls, readLinkedInvoice } from './invoice-links.ts'
import { type InvoicePdf, printForLink, printForStaff } from './print-invoice.ts'

type Serving = LinkPageContext & { readonly database: Database; readonly context: PaymentContext }

const adminLimit = { name: 'invoice-admin', max: 120, windowSeconds: 60 }

/** The maximum size of a submitted form in bytes. The payment form of the invoice page has no fields. */
const formBytes = 1_024

const { actionHandler, pageHandler } = createLinkPages<Serving, LinkedInvoice>({
  name: 'invoice link',
  root: '/i',
  invalidPage: 'invalid_invoice_link',
  idOf: ({ database }, token) => findLinkedInvoice(database, token),
  read: ({ database }, id) => readLinkedInvoice(database, id),
})

/**
 * Serves /i/<token>, where a customer without an email address reads and pays one invoice, and the routes with which
 * staff hand the invoice over (docs/product.md 17.11). Everything works without JavaScript.
 */
export async function registerInvoiceLinks(app: FastifyInstance, serving: Serving): Promise<void> {
  registerHandOver(app, serving)
  await app.register(async (pages) => {
    acceptFormBodies(pages, formBytes)
    declareRoutes(pages, { rights: 'link', limit: 'in handler' })
    pages.addHook('preHandler', (request, reply) => countUnknown(serving, request, reply))
    pages.get(
      '/i/:token',
      pageHandler(serving, (invoice, { path, reply, request }) =>
        sendPage(serving, reply, {
          name: 'invoice',
          invoice,
          path,
          paymentNotice: noticeOf(request.query['payment']),
        }),
      ),
    )
    pages.get(
      '/i/:token/invoice.pdf',
      pageHandler(serving, (invoice, opened) => sendPdf(serving, invoice, opened)),
    )
    pages.get(
      '/i/:token/pay',
      pageHandler(serving, (_invoice, { path, reply }) => reply.redirect(path, 303)),
    )
    pages.post(
      '/i/:token/pay',
      actionHandler(serving, (opened) => pay(serving, opened)),
    )
  })
}

const noticeOf = (given: unknown) =>
  given === 'unavailable' || given === 'not_set_up' ? given : undefined

/** Routes with which staff hand an invoice to a customer: its secret URLs, its PDF for printing, and its email. */
function registerHandOver(app: FastifyInstance, serving: Serving): void {
  serve(app, handOverInvoiceEndpoint).with({
    limit: [adminLimit],
    invalid: { code: 'NOT_FOUND' },
    async handle({ invoiceId }) {
      const link = await makeInvoiceUrls(serving.database, serving.publicUrl, invoiceId)
      return link ? accepted(link) : refused({ code: 'NOT_FOUND' })
    },
    present: (link) => ({ ok: true, ...link }),
  })
  serve(app, printInvoiceEndpoint).with({
    limit: [adminLimit],
    invalid: { code: 'NOT_FOUND' },
    async handle({ id }) {
      const link = await makeInvoiceUrls(serving.database, serving.publicUrl, id)
      return printForStaff(serving.context, id, link)
    },
    present: (pdf, reply) => attach(reply, pdf),
  })
  const emailing = commandRoute(serving.context, emailInvoiceCommand(serving.context))
  serve(app, emailInvoiceEndpoint).with({ limit: [adminLimit], ...emailing })
}

/**
 * Sends the PDF of the invoice; the PDF contains no personal data. For a void or cancelled invoice, and when the PDF
 * cannot be made, redirects to the invoice page.
 */
async function sendPdf(
  { context }: Serving,
  { state }: LinkedInvoice,
  { id, path, reply }: OpenedLink,
): Promise<FastifyReply> {
  if (state === 'void' || state === 'cancelled') return reply.redirect(path, 303)
  const printed = await printForLink(context, id)
  return printed.ok ? attach(reply, printed.value) : reply.redirect(path, 303)
}

const attach = (reply: FastifyReply, { bytes, fileName }: InvoicePdf) =>
  reply
    .type('application/pdf')
    .header('content-disposition', `inline; filename="${fileName}"`)
    .send(bytes)

/**
 * Counts an invalid link toward the limit on unknown invoice numbers, so that nobody can guess links. A valid link
 * does not count.
 */
async function countUnknown(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const wait = await serving.limits.consume(request, unknownNumberLimits)
  if (wait !== undefined) {
    void reply.code(429).headers({ 'retry-after': String(wait), 'cache-control': 'no-store' })
    return sendPage(serving, reply, { name: 'too_often' })
  }
  const token = pathParameter(request, 'token')
  if (await findLinkedInvoice(serving.database, token)) await serving.limits.forgive(request)
  return undefined
}

/**
 * Redirects to the payment page of the invoice, or back to the invoice page when nothing is due or the payment page
 * cannot be created.
 */
async function pay({ context }: Serving, { id, path, reply }: OpenedLink): Promise<FastifyReply> {
  try {
    const opened = await createCheckout(context, id)
    if (opened.ok) return reply.redirect(opened.value.url, 303)
    const { code } = opened.refusal
    if (code === 'ALREADY_PAID') return reply.redirect(path, 303)
    const notice = code === 'PAYMENTS_NOT_SET_UP' ? 'not_set_up' : 'unavailable'
    return reply.redirect(`${path}?payment=${notice}`, 303)
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error
    return reply.redirect(`${path}?payment=unavailable`, 303)
  }
}
