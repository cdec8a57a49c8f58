import type { FastifyInstance, FastifyRequest } from 'fastify'
import { setupEndpoints } from '#contracts/setup.ts'
import { accepted, refused } from '#domain/result.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Config } from '#server/config.ts'
import type { Mailer } from '#server/features/emails/transport/mailer.ts'
import type { Database } from '@local/postgres'
import type { RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import { type Check, serve } from '#server/platform/http/serve-endpoint.ts'
import { readEmailSetup } from './read-email-setup.ts'
import { readPaymentSetup } from './read-payment-setup.ts'
import { sendTestMessage } from './send-test-message.ts'

type Dependencies = {
  readonly config: Pick<Config, 'mail' | 'payments' | 'publicUrl'>
  readonly database: Database
  readonly mailer: Mailer
  readonly currentShop: CurrentShop
  readonly limits: RateLimits
  /** A preHandler that requires a signed-in admin. */
  readonly onlyAdmin: Check
}

/**
 * The limit of test messages for the whole shop: enough attempts to correct the settings, too few to send spam in the
 * shop's name.
 */
const testLimit = { name: 'test-message', max: 10, windowSeconds: 3600, subject: () => 'shop' }

/** Routes that show the owner how email and payments are configured, and that send a test message. */
export function registerSetup(app: FastifyInstance, dependencies: Dependencies): void {
  const { config, database, mailer, currentShop, limits, onlyAdmin: permission } = dependencies

  serve(app, setupEndpoints.email).with({
    permission,
    handle: async () => accepted(readEmailSetup(config, mailer.transport.mode, currentShop())),
    present: (setup) => ({ ok: true, ...setup }),
  })
  serve(app, setupEndpoints.sendTest).with({
    permission,
    invalid: { code: 'INVALID_ADDRESS' },
    handle: ({ to }, { request }) => limitedTest(request, to),
    present: (outcome) => ({ ok: true, ...outcome }),
  })
  serve(app, setupEndpoints.payments).with({
    permission,
    handle: async () => accepted(await readPaymentSetup(config, database)),
    present: (setup) => ({ ok: true, ...setup }),
  })

  // Counts the message only after the session was checked, so that a visitor cannot use up the limit.
  async function limitedTest(request: FastifyRequest, to: string) {
    const waitSeconds = await limits.consume(request, [testLimit])
    if (waitSeconds !== undefined) return refused({ waitSeconds })
    const tried = await sendTestMessage({ database, mailer, currentShop }, to)
    return tried.ok ? tried : refused({ code: tried.refusal })
  }
}
