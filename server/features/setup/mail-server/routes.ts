import type { FastifyInstance } from 'fastify'
import { setupEndpoints } from '#contracts/setup.ts'
import { accepted } from '#domain/result.ts'
import type { Config } from '#server/config.ts'
import type { Limit } from '#server/platform/http/limits/rate-limits.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { asOwner } from '../as-owner.ts'
import { type MailServerContext, removeMailServer, saveMailServer } from './save-mail-server.ts'
import { isMailSetByEnvironment } from './watch-mail-settings.ts'

type Dependencies = MailServerContext & { readonly config: Pick<Config, 'mail'> }

/** Routes with which an owner enters or removes the mail server (docs/product.md 11.20). */
export function registerMailServer(
  app: FastifyInstance,
  dependencies: Dependencies,
  testLimit: Limit,
): void {
  const { database, config } = dependencies
  const isSetByEnvironment = isMailSetByEnvironment(config.mail)
  serve(app, setupEndpoints.saveMailServer).with({
    invalid: { code: 'INVALID_MAIL_SERVER' },
    limit: [testLimit],
    handle: (input, { request }) =>
      asOwner(database, request, isSetByEnvironment, (userId) =>
        saveMailServer(dependencies, userId, input),
      ),
    present: (saved) => ({ ok: true, ...saved }),
  })
  serve(app, setupEndpoints.removeMailServer).with({
    handle: (_input, { request }) =>
      asOwner(database, request, isSetByEnvironment, async (userId) => {
        await removeMailServer(dependencies, userId)
        return accepted(true)
      }),
    present: () => ({ ok: true }),
  })
}
