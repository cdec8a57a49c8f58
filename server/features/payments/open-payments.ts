import type { FastifyInstance } from 'fastify'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Config } from '#server/config.ts'
import { createInvoicePdfs } from '#server/features/invoices/pdf/invoice-pdfs.ts'
import {
  createSignedInvoiceUrls,
  type SignedInvoiceUrls,
} from '#server/features/invoices/document/signed-invoice-urls.ts'
import type { ShopKeys } from '#server/platform/keys/open-keys.ts'
import {
  type SealedSettingSource,
  watchSealedSetting,
} from '#server/platform/secrets/sealed-setting.ts'
import type { PaymentContext } from './payment-context.ts'
import { createPaymentQueues } from './payment-queues.ts'
import { chooseProvider, type PaymentSettings } from './provider/choose-provider.ts'
import { connectProvider, type ProviderConnection } from './provider/connect-provider.ts'
import { type CreateSandbox, holdSandbox, type SandboxHolder } from './provider/open-sandbox.ts'
import type { PaymentProvider } from './provider/payment-provider.ts'
import { parseStripeAccount } from './provider/stripe-account.ts'
import { openAccount } from './provider/open-account.ts'
import { failureFields, type Stripe, type StripeConnection } from './stripe.ts'

export type PaymentOptions = SealedSettingSource & {
  readonly config: Config
  readonly keys: ShopKeys
  readonly now: () => number
  readonly currentShop: CurrentShop
  readonly createSandbox?: CreateSandbox | undefined
  /** Replaces, in tests, the function that sends requests to Stripe's servers. */
  readonly stripeFetch?: typeof fetch | undefined
}

export type Payments = {
  readonly context: PaymentContext
  readonly stripeConnection: StripeConnection
  readonly invoiceLinks: SignedInvoiceUrls
  readonly sandbox: SandboxHolder
  readonly paymentSettings: PaymentSettings
  readonly keepProvider: ProviderConnection['keepProvider']
  /** Returns an SDK client for a secret key that the shop has not stored yet or no longer uses. */
  readonly openAccount: (secretKey: string) => Stripe
}

/**
 * Connects to Stripe or to the sandbox, and creates the objects that the routes and scheduled jobs for invoices and
 * payments share. When the owner changes the payment settings in the dashboard, the connection changes without a
 * restart.
 */
export async function openPayments(
  app: FastifyInstance,
  options: PaymentOptions,
): Promise<Payments> {
  const { config, database, keys, now, currentShop } = options
  const { publicUrl } = config
  const webhookSecret = `whsec_${keys.sandboxWebhooks}`
  const sandbox = holdSandbox(app, { ...options, publicUrl, webhookSecret })
  const { settings, currentProvider } = await watchProvider(app, options, sandbox)
  const { connection, keepProvider } = connectProvider(currentProvider)
  currentProvider()
  // A request uses one payment provider from its beginning to its end, even when an owner changes the settings in the
  // meantime.
  app.addHook('preHandler', (_request, _reply, done) => keepProvider(done))
  const context: PaymentContext = {
    stripe: connection.client,
    database,
    now,
    publicUrl,
    ownerEmail: config.mail.owner,
    currentShop,
    pdfs: createInvoicePdfs(connection.client, database, currentShop),
    paymentQueues: createPaymentQueues(),
    paymentMode: () => connection.mode,
    report: (what, error) => app.log.error(failureFields(error), what),
  }
  const invoiceLinks = createSignedInvoiceUrls(keys.invoiceLinks, now)
  const { stripeFetch } = options
  return {
    openAccount: (secretKey) => openAccount(secretKey, stripeFetch),
    context,
    stripeConnection: connection,
    invoiceLinks,
    sandbox,
    paymentSettings: settings,
    keepProvider,
  }
}

/** Chooses the payment provider again whenever the owner changes the payment settings. */
async function watchProvider(
  app: FastifyInstance,
  options: PaymentOptions,
  sandbox: SandboxHolder,
) {
  let chosen: PaymentProvider | undefined
  const settings = await watchSealedSetting({
    ...options,
    name: 'payments',
    parse: parseStripeAccount,
    onChange: () => {
      chosen = undefined
    },
  })
  app.addHook('onClose', async () => settings.stop())
  const currentProvider = () => {
    chosen ??= chooseProvider(options, sandbox, settings)
    return chosen
  }
  return { settings, currentProvider }
}
