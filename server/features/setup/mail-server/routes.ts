import type { FastifyInstance, FastifyRequest } from 'fastify'
import { setupEndpoints } from '#contracts/setup.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { Config } from '#server/config.ts'
import { findAdminSession } from '#server/features/admin-session/admin-sessions.ts'
import { readSessionCookie } from '#server/features/admin-session/session-cookie.ts'
import type { Limit } from '#server/platform/http/limits/rate-limits.ts'
import { type Refusal, serve } from '#server/platform/http/serve-endpoint.ts'
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
  const asOwner = async <Value>(
    request: FastifyRequest,
    work: (userId: string) => Promise<Result<Value, Refusal>>,
  ): Promise<Result<Value, Refusal>> => {
    if (isMailSetByEnvironment(config.mail)) return refused({ code: 'SET_BY_ENVIRONMENT' })
    const session = await findAdminSession(database, readSessionCookie(request) ?? '')
    return session ? work(session.userId) : refused({ code: 'UNAUTHENTICATED' })
  }
  serve(app, setupEndpoints.saveMailServer).with({
    invalid: { code: 'INVALID_MAIL_SERVER' },
    limit: [testLimit],
    handle: (input, { request }) =>
      asOwner(request, (userId) => saveMailServer(dependencies, userId, input)),
    present: (saved) => ({ ok: true, ...saved }),
  })
  serve(app, setupEndpoints.removeMailServer).with({
    handle: (_input, { request }) =>
      asOwner(request, async (userId) => {
        await removeMailServer(dependencies, userId)
        return accepted(true)
      }),
    present: () => ({ ok: true }),
  })
}
