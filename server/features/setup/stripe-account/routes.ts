import type { FastifyInstance } from 'fastify'
import { setupEndpoints } from '#contracts/setup.ts'
import { accepted } from '#domain/result.ts'
import type { Config } from '#server/config.ts'
import type { StripeConnection } from '#server/features/payments/stripe.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { asOwner } from '../as-owner.ts'
import { readPaymentSetup } from '../read-payment-setup.ts'
import {
  removeStripeAccount,
  saveStripeAccount,
  type StripeAccountContext,
} from './save-stripe-account.ts'

type Dependencies = StripeAccountContext & {
  readonly config: Pick<Config, 'payments' | 'publicUrl'>
  readonly stripeConnection: StripeConnection
}

/**
 * Limits the attempts to enter a Stripe key in the whole shop: permits enough to correct a mistyped key, but too few to
 * test a list of stolen keys.
 */
const limit = { name: 'stripe-account', max: 20, windowSeconds: 3600, subject: () => 'shop' }

/** Routes with which an owner reads, connects or removes the Stripe account (docs/product.md 11.21). */
export function registerStripeAccount(app: FastifyInstance, dependencies: Dependencies): void {
  const { database, config } = dependencies
  const isSetByEnvironment = config.payments.mode !== 'dashboard'
  serve(app, setupEndpoints.payments).with({
    handle: async () => accepted(await readPaymentSetup(dependencies)),
    present: (setup) => ({ ok: true, ...setup }),
  })
  serve(app, setupEndpoints.saveStripeAccount).with({
    invalid: { code: 'INVALID_STRIPE_KEY' },
    limit: [limit],
    handle: ({ secretKey }, { request }) =>
      asOwner(database, request, isSetByEnvironment, async (userId) =>
        accepted(await saveStripeAccount(dependencies, userId, secretKey)),
      ),
    present: (saved) => ({ ok: true, ...saved }),
  })
  serve(app, setupEndpoints.removeStripeAccount).with({
    handle: (_input, { request }) =>
      asOwner(database, request, isSetByEnvironment, async (userId) =>
        accepted(await removeStripeAccount(dependencies, userId)),
      ),
    present: (isWebhookDisabled) => ({ ok: true, isWebhookDisabled }),
  })
}
