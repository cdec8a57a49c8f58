import type { FastifyInstance } from 'fastify'
import { stripeWebhookEndpoint } from '#contracts/payments/stripe-webhook.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Config } from '#server/config.ts'
import { createInvoicePdfs } from '#server/features/invoices/pdf/invoice-pdfs.ts'
import { registerInvoices } from '#server/features/invoices/invoice-routes.ts'
import { createSignedInvoiceUrls } from '#server/features/invoices/document/signed-invoice-urls.ts'
import type { PaymentContext } from './payment-context.ts'
import { createPaymentQueues } from './payment-queues.ts'
import { registerPayments } from './payment-routes.ts'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { Check } from '#server/platform/http/serve-endpoint.ts'
import type { RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import type { ShopKeys } from '#server/platform/keys/open-keys.ts'
import { readSandboxBranding, toSandboxAccount } from './sandbox-account.ts'
import { connectStripe, failureFields, type StripeConnection } from './stripe.ts'
import {
  createStripeSandbox,
  type StripeSandbox,
  type StripeSandboxOptions,
} from '@local/stripe-sandbox'

export type PaymentOptions = {
  readonly config: Config
  readonly database: Database
  readonly keys: ShopKeys
  readonly now: () => number
  readonly limits: RateLimits
  readonly currentShop: CurrentShop
  /** Whether a mail server is configured. */
  readonly canSendEmail: boolean
  /** A preHandler that requires a signed-in admin. */
  readonly onlyAdmin: Check
  /** Creates the sandbox that replaces Stripe when no account is configured; tests observe it and make it fail. */
  readonly createSandbox?: ((options: StripeSandboxOptions) => StripeSandbox) | undefined
}

/**
 * Registers the routes for invoices and payments, with Stripe or the sandbox. Returns the dependencies of the scheduled
 * jobs.
 */
export async function connectPayments(
  app: FastifyInstance,
  dependencies: PaymentOptions,
): Promise<PaymentContext> {
  const { config, database, keys, now, limits, currentShop, onlyAdmin } = dependencies
  const { publicUrl } = config
  const stripeConnection = openStripe(app, dependencies)
  const pdfs = createInvoicePdfs(stripeConnection.client, database, currentShop)
  const context: PaymentContext = {
    stripe: stripeConnection.client,
    database,
    now,
    publicUrl,
    ownerEmail: config.mail.owner,
    currentShop,
    pdfs,
    paymentQueues: createPaymentQueues(),
    report: (what, error) => app.log.error(failureFields(error), what),
  }
  const invoiceLinks = createSignedInvoiceUrls(keys.invoiceLinks, now)
  registerInvoices(app, {
    stripeConnection,
    database,
    limits,
    onlyAdmin,
    pdfs,
    invoiceLinks,
    currentShop,
    canSendEmail: dependencies.canSendEmail,
    now,
    publicUrl,
  })
  registerPayments(app, {
    context,
    stripeConnection,
    limits,
    isCapped: config.rateLimits === 'enforced',
  })
  return context
}

function openStripe(
  app: FastifyInstance,
  { config, database, keys, now, currentShop, createSandbox = createStripeSandbox }: PaymentOptions,
): StripeConnection {
  if (config.payments.mode === 'stripe') return connectStripe(config.payments)
  const webhookSecret = `whsec_${keys.sandboxWebhooks}`
  const branding = readSandboxBranding()
  const sandbox = createSandbox({
    transaction: (work) => database.transaction(asServer, work),
    account: () => toSandboxAccount(currentShop(), branding),
    publicUrl: config.publicUrl,
    webhookSecret,
    webhookUrl: `${config.publicUrl}${stripeWebhookEndpoint.path}`,
    now,
    // Delivers events to the route of this process directly, without port, proxy and DNS.
    deliver: async ({ payload, signature }) => {
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
      const { statusCode } = await app.inject({
        method: 'POST',
        url: stripeWebhookEndpoint.path,
        headers,
        payload,
      })
      return { status: statusCode }
    },
    renderPdf: async (invoiceId) => {
      const invoice = await stripeConnection.client.invoices.retrieve(invoiceId)
      const print = await pdfs.prepare(invoice)
      return print()
    },
    report: (error) => app.log.error({ err: error }, 'the payment sandbox failed'),
  })
  const stripeConnection = connectStripe({ fetch: sandbox.fetch, webhookSecret })
  const pdfs = createInvoicePdfs(stripeConnection.client, database, currentShop)
  sandbox.registerPages(app)
  app.addHook('onClose', () => sandbox.stop())
  return stripeConnection
}
