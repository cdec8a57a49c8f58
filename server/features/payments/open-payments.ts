import type { FastifyInstance } from 'fastify'
import { stripeWebhookEndpoint } from '#contracts/payments/stripe-webhook.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Config } from '#server/config.ts'
import { createInvoicePdfs } from '#server/features/invoices/pdf/invoice-pdfs.ts'
import {
  createSignedInvoiceUrls,
  type SignedInvoiceUrls,
} from '#server/features/invoices/document/signed-invoice-urls.ts'
import type { PaymentContext } from './payment-context.ts'
import { createPaymentQueues } from './payment-queues.ts'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
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
  readonly currentShop: CurrentShop
  /**
   * Creates the sandbox that replaces Stripe when no Stripe account is configured. Tests pass their own sandbox to
   * observe calls and simulate failures.
   */
  readonly createSandbox?: ((options: StripeSandboxOptions) => StripeSandbox) | undefined
}

/**
 * Connects to Stripe or the sandbox, and creates the objects that the routes and scheduled jobs for invoices and
 * payments share.
 */
export function openPayments(app: FastifyInstance, dependencies: PaymentOptions): Payments {
  const { config, database, keys, now, currentShop } = dependencies
  const { stripeConnection, sandbox } = openStripe(app, dependencies)
  const context: PaymentContext = {
    stripe: stripeConnection.client,
    database,
    now,
    publicUrl: config.publicUrl,
    ownerEmail: config.mail.owner,
    currentShop,
    pdfs: createInvoicePdfs(stripeConnection.client, database, currentShop),
    paymentQueues: createPaymentQueues(),
    report: (what, error) => app.log.error(failureFields(error), what),
  }
  const invoiceLinks = createSignedInvoiceUrls(keys.invoiceLinks, now)
  return { context, stripeConnection, invoiceLinks, sandbox }
}

export type Payments = {
  readonly context: PaymentContext
  readonly stripeConnection: StripeConnection
  readonly invoiceLinks: SignedInvoiceUrls
  /** The payment sandbox; undefined if a Stripe account is configured. */
  readonly sandbox: StripeSandbox | undefined
}

function openStripe(
  app: FastifyInstance,
  { config, database, keys, now, currentShop, createSandbox = createStripeSandbox }: PaymentOptions,
): Pick<Payments, 'stripeConnection' | 'sandbox'> {
  if (config.payments.mode === 'stripe') {
    return { stripeConnection: connectStripe(config.payments), sandbox: undefined }
  }
  const webhookSecret = `whsec_${keys.sandboxWebhooks}`
  const branding = readSandboxBranding()
  const sandbox = createSandbox({
    transaction: (work) => database.transaction(asServer, work),
    account: () => toSandboxAccount(currentShop(), branding),
    publicUrl: config.publicUrl,
    webhookSecret,
    webhookUrl: `${config.publicUrl}${stripeWebhookEndpoint.path}`,
    now,
    // Passes the sandbox's payment events directly to the webhook route of this process, without a port, proxy or DNS
    // name.
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
  app.addHook('onClose', () => sandbox.stop())
  return { stripeConnection, sandbox }
}
