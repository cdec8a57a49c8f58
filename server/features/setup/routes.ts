import type { FastifyInstance } from 'fastify'
import { setupEndpoints } from '#contracts/setup.ts'
import { accepted, refused } from '#domain/result.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Config } from '#server/config.ts'
import type { Mailer } from '#server/features/emails/transport/mailer.ts'
import type { Database } from '@local/postgres'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { registerMailServer } from './mail-server/routes.ts'
import type { MailSettings } from './mail-server/watch-mail-settings.ts'
import { readEmailSetup } from './read-email-setup.ts'
import { sendTestMessage } from './send-test-message.ts'
import { registerStripeAccount } from './stripe-account/routes.ts'

type Dependencies = Parameters<typeof registerStripeAccount>[1] & {
  readonly config: Pick<Config, 'mail' | 'payments' | 'publicUrl'>
  readonly database: Database
  readonly mailer: Mailer
  readonly currentShop: CurrentShop
  readonly mailSettings: MailSettings
}

/**
 * Limits the test messages of the whole shop: permits enough to correct the email settings, but too few to send spam in
 * the shop's name.
 */
const testLimit = { name: 'test-message', max: 10, windowSeconds: 3600, subject: () => 'shop' }

/** Routes that show the owner how email and payments are configured, and send a test message. */
export function registerSetup(app: FastifyInstance, dependencies: Dependencies): void {
  const { config, database, mailer, currentShop } = dependencies

  serve(app, setupEndpoints.email).with({
    handle: async () =>
      accepted(
        readEmailSetup(config, dependencies.mailSettings, mailer.transport.mode, currentShop()),
      ),
    present: (setup) => ({ ok: true, ...setup }),
  })
  serve(app, setupEndpoints.sendTest).with({
    invalid: { code: 'INVALID_ADDRESS' },
    limit: [testLimit],
    handle: async ({ to }) => {
      const tried = await sendTestMessage({ database, mailer, currentShop }, to)
      return tried.ok ? tried : refused({ code: tried.refusal })
    },
    present: (outcome) => ({ ok: true, ...outcome }),
  })
  registerMailServer(app, dependencies, testLimit)
  registerStripeAccount(app, dependencies)
}
