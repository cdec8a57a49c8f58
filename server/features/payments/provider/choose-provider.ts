import type { Database } from '@local/postgres'
import type { Config } from '#server/config.ts'
import type { SealedSetting } from '#server/platform/secrets/sealed-setting.ts'
import type { SandboxHolder } from './open-sandbox.ts'
import { noProvider, type PaymentProvider, stripeProvider } from './payment-provider.ts'
import { withSandboxObjects } from './sandbox-objects.ts'
import type { StripeAccount } from './stripe-account.ts'

/** The Stripe account that an owner connected in the dashboard, even while the environment names another account. */
export type PaymentSettings = SealedSetting<StripeAccount>

type Options = {
  readonly config: Pick<Config, 'payments'>
  readonly database: Database
  readonly stripeFetch?: typeof fetch | undefined
}

/**
 * Returns the provider that the shop uses: the provider in the environment, which takes precedence, otherwise the
 * account that an owner connected in the dashboard. An account whose key cannot be read on this machine never falls
 * back to the sandbox, in which customers would pay nothing.
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
