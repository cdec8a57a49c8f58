import type { FastifyInstance } from 'fastify'
import type { Database } from '@local/postgres'
import {
  createStripeSandbox,
  type StripeSandbox,
  type StripeSandboxOptions,
} from '@local/stripe-sandbox'
import { stripeWebhookEndpoint } from '#contracts/payments/stripe-webhook.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import { createInvoicePdfs } from '#server/features/invoices/pdf/invoice-pdfs.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { readSandboxBranding, toSandboxAccount } from '../sandbox-account.ts'
import { connectStripe } from '../stripe.ts'
import { type PaymentProvider, sandboxProvider } from './payment-provider.ts'

/** Creates a payment sandbox. Tests replace this function to observe calls and simulate failures. */
export type CreateSandbox = (options: StripeSandboxOptions) => StripeSandbox

type Options = {
  readonly database: Database
  readonly publicUrl: string
  readonly webhookSecret: string
  readonly now: () => number
  readonly currentShop: CurrentShop
  readonly createSandbox?: CreateSandbox | undefined
}

/** The payment sandbox (simulated Stripe) of this process. The sandbox opens at its first use. */
export type SandboxHolder = {
  /** The sandbox as the shop's payment provider: it charges test cards and delivers events. */
  readonly charging: () => PaymentProvider
  /**
   * The sandbox after the shop connected a Stripe account: it still serves its existing objects, such as test invoices,
   * but delivers no events.
   */
  readonly reading: () => PaymentProvider
  /** Serves the payment pages of the payment sandbox. */
  readonly registerPages: (scope: FastifyInstance) => void
  /** Stops the delivery of sandbox events, because another provider now charges cards. */
  readonly endCharging: () => void
}

export function holdSandbox(app: FastifyInstance, options: Options): SandboxHolder {
  const { webhookSecret } = options
  let charging: StripeSandbox | undefined
  let reading: StripeSandbox | undefined
  const openReading = () => charging ?? (reading ??= openSandbox(app, options, false))
  app.addHook('onClose', () => charging?.stop())
  return {
    charging() {
      charging ??= openSandbox(app, options, true)
      return sandboxProvider(charging.fetch, webhookSecret)
    },
    reading: () => sandboxProvider(openReading().fetch, webhookSecret),
    registerPages: (scope) => openReading().registerPages(scope),
    endCharging() {
      void charging?.stop()
      charging = undefined
    },
  }
}

function openSandbox(
  app: FastifyInstance,
  options: Options,
  deliversEvents: boolean,
): StripeSandbox {
  const { database, publicUrl, webhookSecret, now, currentShop } = options
  const { createSandbox = createStripeSandbox } = options
  const branding = readSandboxBranding()
  const sandbox = createSandbox({
    transaction: (work) => database.transaction(asServer, work),
    account: () => toSandboxAccount(currentShop(), branding),
    publicUrl,
    webhookSecret,
    webhookUrl: `${publicUrl}${stripeWebhookEndpoint.path}`,
    now,
    background: deliversEvents,
    // Passes the sandbox's events directly to the webhook route of this process, without a network connection.
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
      const invoice = await client.invoices.retrieve(invoiceId)
      const print = await pdfs.prepare(invoice)
      return print()
    },
    report: (error) => app.log.error({ err: error }, 'the payment sandbox failed'),
  })
  const { client } = connectStripe({ fetch: sandbox.fetch, webhookSecret })
  const pdfs = createInvoicePdfs(client, database, currentShop)
  return sandbox
}
