import type { Database } from '@local/postgres'
import type { Config } from '#server/config.ts'
import type { SealedSetting } from '#server/platform/secrets/sealed-setting.ts'
import type { SandboxHolder } from './open-sandbox.ts'
import { noProvider, type PaymentProvider, stripeProvider } from './payment-provider.ts'
import { withSandboxObjects } from './sandbox-objects.ts'
import type { StripeAccount } from './stripe-account.ts'

/**
 * The Stripe account that an owner connected in the dashboard. The database stores this account even while an
 * environment variable overrides it with another account.
 */
export type PaymentSettings = SealedSetting<StripeAccount>

type Options = {
  readonly config: Pick<Config, 'payments'>
  readonly database: Database
  readonly stripeFetch?: typeof fetch | undefined
}

/**
 * Returns the payment provider of the shop: the one in the environment variables, which takes precedence, otherwise the
 * Stripe account that an owner connected in the dashboard. If the key of that account cannot be decrypted on this
 * machine, the function returns a provider that refuses every call. The function does not return the sandbox, because
 * customers would pay nothing there.
 */
export function chooseProvider(
  { config: { payments }, database, stripeFetch }: Options,
  sandbox: SandboxHolder,
  settings: Pick<PaymentSettings, 'stored'>,
): PaymentProvider {
  const alsoSandboxObjects = (provider: PaymentProvider) => {
    sandbox.endCharging()
    return withSandboxObjects(provider, database, sandbox.reading)
  }
  if (payments.mode === 'sandbox') return sandbox.charging()
  if (payments.mode === 'stripe') return alsoSandboxObjects(stripeProvider(payments, stripeFetch))
  const stored = settings.stored()
  if (!stored) {
    return payments.otherwise === 'sandbox' ? sandbox.charging() : alsoSandboxObjects(noProvider)
  }
  if (!stored.value) return alsoSandboxObjects(noProvider)
  const { secretKey, webhook } = stored.value
  const webhookSecret = webhook?.secret
  return alsoSandboxObjects(stripeProvider({ secretKey, webhookSecret }, stripeFetch))
}
