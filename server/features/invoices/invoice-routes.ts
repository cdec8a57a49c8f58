import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type Stripe from 'stripe'
import {
  type LookupInvoiceRequest,
  lookupInvoiceEndpoint,
} from '#contracts/invoices/invoice-lookup.ts'
import { type CreateInvoiceRequest, invoiceEndpoints } from '#contracts/invoices/invoices.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { createWorkQueue } from '#server/platform/queue/work-queue.ts'
import { type Refusal, serve } from '#server/platform/http/serve-endpoint.ts'
import { createSharedWork } from '#server/platform/queue/shared-work.ts'
import { callStripe } from '#server/features/payments/call-stripe.ts'
import { refuseOnlinePayment } from '#server/features/payments/refuse-online-payment.ts'
import { failureFields } from '#server/features/payments/stripe.ts'
import { createInvoice } from './create-invoice.ts'
import { registerEstimateInvoices } from './estimates/estimate-invoice-routes.ts'
import { registerInvoiceDocuments } from './document/invoice-document-routes.ts'
import { lookupInvoice, type LookupResult, type PayableInvoice } from './lookup/lookup-invoice.ts'
import { chargeUnknown, unknownNumberLimits } from './lookup/lookup-limits.ts'
import type { InvoiceDependencies } from './invoice-dependencies.ts'
import { presentFound, presentInvoice } from './present-invoice.ts'
import { readInvoiceOrder } from './read-invoice-order.ts'
import { type InvoiceLookup, readLookup } from './lookup/read-lookup.ts'
import { type Mailed, mailInvoice, notMailed } from './mail-invoice.ts'

const adminLimit = { name: 'invoice-admin', max: 120, windowSeconds: 60 }

/** Routes that look up, show, create and list invoices (docs/product.md 7.1). */
export function registerInvoices(app: FastifyInstance, dependencies: InvoiceDependencies): void {
  const { stripeConnection, now } = dependencies
  registerInvoiceDocuments(app, dependencies)
  registerEstimateInvoices(app, dependencies)
  const lookup = createLookup(dependencies)
  serve(app, lookupInvoiceEndpoint).with({
    limit: 'in handler',
    invalid: { code: 'INVALID_INPUT' },
    handle: (input, { request }) => handleLookup(dependencies, lookup, input, request),
    present: (invoice) => presentFound(dependencies, invoice),
  })
  serve(app, invoiceEndpoints.create).with({
    limit: [adminLimit],
    invalid: { code: 'INVALID_INVOICE' },
    handle: (input, { request }) => create(dependencies, input, request),
    present: ({ invoice, mailed }) => ({
      ok: true,
      message: mailed.emailSent ? 'Invoice Created & Sent' : 'Invoice Created',
      invoice: presentInvoice(invoice),
      ...mailed,
    }),
  })
  serve(app, invoiceEndpoints.list).with({
    limit: [adminLimit],
    invalid: { code: 'BAD_REQUEST' },
    handle: (input) =>
      callStripe({ otherwise: 'STRIPE_ERROR' }, async () =>
        accepted(await listInvoices(stripeConnection.client, { ...input, now: now() })),
      ),
    present: (invoices) => ({ ok: true, invoices: invoices.map(presentInvoice) }),
  })
}

type Lookup = (query: InvoiceLookup) => Promise<LookupResult>

/**
 * Simultaneous lookups with equal input are executed only once, and only a few lookups call Stripe at the same time.
 */
function createLookup({ stripeConnection, database }: InvoiceDependencies): Lookup {
  const shared = createSharedWork<LookupResult>()
  const queue = createWorkQueue({ atOnce: 4, waiting: 40, timeoutMs: 10_000 })
  const shop = { stripe: stripeConnection.client, database }
  return (query) =>
    shared(`${query.number} ${query.email ?? ''}`, () => queue(() => lookupInvoice(shop, query)))
}

/**
 * Counts a lookup toward the rate limit if the invoice number has a valid format. The lookup no longer counts when an
 * invoice with the number is found.
 */
async function handleLookup(
  { limits, currentShop, stripeConnection }: InvoiceDependencies,
  lookup: Lookup,
  input: LookupInvoiceRequest,
  request: FastifyRequest,
): Promise<Result<PayableInvoice, Refusal>> {
  if (stripeConnection.mode === 'not_set_up') return refuseOnlinePayment(currentShop())
  const query = readLookup(input, currentShop().rules.requiresInvoiceEmail)
  if (!query.ok) return refused({ code: query.refusal })
  const waitSeconds = await limits.consume(request, unknownNumberLimits)
  if (waitSeconds !== undefined) return refused({ waitSeconds })
  return chargeUnknown(limits, request, () => lookup(query.value))
}

async function create(
  dependencies: InvoiceDependencies,
  input: CreateInvoiceRequest,
  request: FastifyRequest,
): Promise<Result<CreatedAndMailed, Refusal>> {
  const { stripeConnection, database, now } = dependencies
  if (stripeConnection.mode === 'not_set_up') return refused({ code: 'PAYMENTS_NOT_SET_UP' })
  const order = readInvoiceOrder(input)
  if (!order.ok) return order
  const shop = { stripe: stripeConnection.client, database, now }
  const created = await callStripe({ otherwise: 'INVOICE_NOT_CREATED' }, () =>
    createInvoice(shop, order.value, requestIdOf(request)),
  )
  if (!created.ok) return created
  const invoice = created.value
  const { cause, ...mailed } = input.sendEmail
    ? await mailInvoice(dependencies, invoice)
    : notMailed
  if (cause) {
    request.log.warn(
      { invoiceId: invoice.id, ...failureFields(cause) },
      'an invoice could not be emailed',
    )
  }
  return accepted({ invoice, mailed })
}

type CreatedAndMailed = {
  readonly invoice: Stripe.Invoice
  readonly mailed: Omit<Mailed, 'cause'>
}

/**
 * Returns the Idempotency-Key header of the request, so that a repeated request creates no second invoice. Returns a
 * new id if the header is missing.
 */
function requestIdOf(request: FastifyRequest): string {
  const given = request.headers['idempotency-key']
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
}

/**
 * Lists the newest finalized invoices of the last `days` days, newest first. `now` is in milliseconds since 1970.
 * Drafts are excluded, because Stripe lists a draft before its lines are complete.
 */
async function listInvoices(
  stripe: Stripe,
  { limit, days, now }: { limit: number; days: number; now: number },
): Promise<Stripe.Invoice[]> {
  const since = Math.floor(now / 1000) - days * 86_400
  const finalized: Stripe.Invoice[] = []
  for await (const invoice of stripe.invoices.list({ limit, created: { gte: since } })) {
    if (invoice.status !== 'draft' && invoice.invoice_pdf) finalized.push(invoice)
    if (finalized.length >= limit) break
  }
  return finalized
}
