import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { lookupInvoiceRequest } from '#contracts/invoice-lookup.ts'
import { createInvoiceRequest, listInvoicesQuery } from '#contracts/invoices.ts'
import { accepted } from '#domain/result.ts'
import type { Database } from '#server/platform/database/database.ts'
import { sendRefusal } from '#server/platform/http/errors.ts'
import { createLane } from '#server/platform/work/lane.ts'
import type { RateLimits } from '#server/platform/http/rate-limits.ts'
import { createSharedWork } from '#server/platform/work/shared-work.ts'
import { askProcessor } from '#server/features/payments/ask-processor.ts'
import { failureFields, type StripeConnection } from '#server/features/payments/stripe.ts'
import { answerTooManyRequests } from '#server/platform/http/too-many-requests.ts'
import { createInvoice } from './create-invoice.ts'
import { registerInvoiceDocuments } from './invoice-document-routes.ts'
import type { InvoicePdfs } from './invoice-pdfs.ts'
import { listInvoices } from './list-invoices.ts'
import { lookupInvoice, type Looked } from './lookup-invoice.ts'
import { chargeUnknown, unknownNumberLimits } from './lookup-limits.ts'
import type { InvoiceLinks } from './invoice-links.ts'
import { presentInvoice } from './present-invoice.ts'
import { readInvoiceOrder } from './read-invoice-order.ts'
import { type InvoiceWish, readLookup } from './read-lookup.ts'
import { mailInvoice } from './mail-invoice.ts'

export type InvoiceDependencies = {
  readonly publicUrl: string
  readonly processor: StripeConnection
  readonly database: Database
  readonly limits: RateLimits
  /** A preHandler that lets only the shop's admin through. */
  readonly requireAdmin: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  readonly pdfs: InvoicePdfs
  readonly invoiceLinks: InvoiceLinks
  readonly now: () => number
  /** Whether who looks an invoice up must know its e-mail address as well. */
  readonly asksEmail: boolean
}

const adminLimit = { name: 'invoice-admin', max: 120, windowSeconds: 60 }

/** Looking up, showing, making and listing invoices (docs/product.md 7.1). */
export function registerInvoices(app: FastifyInstance, dependencies: InvoiceDependencies): void {
  const { limits, requireAdmin } = dependencies
  registerInvoiceDocuments(app, dependencies)
  const look = createLookup(dependencies)
  app.post('/api/invoice/lookup', (request, reply) =>
    answerLookup(dependencies, look, request, reply),
  )
  app.post(
    '/api/invoice/create',
    { preHandler: [limits.limit(adminLimit), requireAdmin] },
    (request, reply) => answerCreate(dependencies, request, reply),
  )
  app.get(
    '/api/invoice/list',
    { preHandler: [limits.limit(adminLimit), requireAdmin] },
    (request, reply) => answerList(dependencies, request, reply),
  )
}

type Lookup = (wish: InvoiceWish) => Promise<Looked>

/** Equal wishes are one look-up, and the processor is asked for a few at once only. */
function createLookup({ processor, database }: InvoiceDependencies): Lookup {
  const shared = createSharedWork<Looked>()
  const lane = createLane({ atOnce: 4, waiting: 40, timeoutMs: 10_000 })
  const shop = { stripe: processor.client, database }
  return (wish) =>
    shared(`${wish.number} ${wish.email ?? ''}`, () => lane(() => lookupInvoice(shop, wish)))
}

async function answerLookup(
  { processor, limits, invoiceLinks, asksEmail }: InvoiceDependencies,
  look: Lookup,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store')
  const body = z.safeParse(lookupInvoiceRequest, request.body)
  if (!body.success) return sendRefusal(reply, 'INVALID_INPUT')
  const wish = readLookup(body.data, asksEmail)
  if (!wish.ok) return sendRefusal(reply, wish.refusal)
  const wait = await limits.take(request, unknownNumberLimits)
  if (wait !== undefined) return answerTooManyRequests(request, reply, wait)
  const found = await chargeUnknown(limits, request, () => look(wish.value))
  if (!found.ok) {
    const { code, logged } = found.refusal
    if (logged) request.log.warn(logged, 'invoice lookup failed')
    return sendRefusal(reply, code)
  }
  const { id, number, amount_remaining: amountDue, currency } = found.value
  const invoice = { id, ...invoiceLinks.linksTo(id), number: number ?? '', amountDue, currency }
  return reply.send({ ok: true, invoice, testMode: processor.isTestMode })
}

const notMailed = { emailSent: false, emailError: null, cause: undefined }

async function answerCreate(
  dependencies: InvoiceDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { processor, database, now } = dependencies
  const body = z.safeParse(createInvoiceRequest, request.body)
  if (!body.success) return sendRefusal(reply, 'INVALID_INVOICE')
  const order = readInvoiceOrder(body.data)
  if (!order.ok) return sendRefusal(reply, order.refusal.code, order.refusal.message)
  const shop = { stripe: processor.client, database, now }
  const made = await askProcessor({ otherwise: 'INVOICE_NOT_CREATED' }, async () =>
    accepted(await createInvoice(shop, order.value, requestIdOf(request))),
  )
  if (!made.ok) {
    request.log.warn(made.refusal.logged, 'invoice creation failed')
    return sendRefusal(reply, made.refusal.code)
  }
  const invoice = made.value
  const { cause, ...mailed } = body.data.sendEmail
    ? await mailInvoice(dependencies, invoice)
    : notMailed
  if (cause) {
    request.log.warn({ invoiceId: invoice.id, ...failureFields(cause) }, 'invoice e-mail failed')
  }
  const message = mailed.emailSent ? 'Invoice Created & Sent' : 'Invoice Created'
  return reply.send({ ok: true, message, invoice: presentInvoice(invoice), ...mailed })
}

async function answerList(
  { processor, now }: InvoiceDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asked = z.safeParse(listInvoicesQuery, request.query)
  if (!asked.success) return sendRefusal(reply, 'BAD_REQUEST')
  const listed = await askProcessor({ otherwise: 'STRIPE_ERROR' }, async () =>
    accepted(await listInvoices(processor.client, { ...asked.data, now: now() })),
  )
  if (!listed.ok) {
    request.log.warn(listed.refusal.logged, 'invoice list failed')
    return sendRefusal(reply, listed.refusal.code)
  }
  return reply.send({ ok: true, invoices: listed.value.map(presentInvoice) })
}

/** A caller that may have to repeat itself names its wish; then it is granted once. */
function requestIdOf(request: FastifyRequest): string {
  const given = request.headers['idempotency-key']
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
}
