import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorBody } from '#contracts/errors.ts'
import { sendRefusal } from '#server/platform/http/errors.ts'
import { closeAdminSession, findAdminSession, tieDataSession } from './admin-sessions.ts'
import { logIn, type LogInDependencies, presentSession } from './log-in.ts'
import { logOut } from './log-out.ts'
import { isFromOwnPage } from './same-origin.ts'
import { clearSessionCookie, readSessionCookie } from './session-cookie.ts'

/** Signing in to the dashboard and out of it (docs/product.md 7.1). */
export function registerAdminSession(app: FastifyInstance, dependencies: LogInDependencies): void {
  const { limits, publicUrl } = dependencies
  app.register(
    (scope, _options, done) => {
      scope.addHook('preHandler', async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return isFromOwnPage(request, publicUrl) ? undefined : sendRefusal(reply, 'FOREIGN_ORIGIN')
      })
      scope.post('/login', (request, reply) => logIn(dependencies, request, reply))
      scope.get(
        '/me',
        { preHandler: limits.limit({ name: 'admin-me', max: 240, windowSeconds: 60 }) },
        (request, reply) => whoAmI(dependencies, request, reply),
      )
      scope.post('/logout', (request, reply) => logOut(dependencies, request, reply))
      done()
    },
    { prefix: '/api/admin' },
  )
}

async function whoAmI(
  { gateway, database, now, publicUrl }: LogInDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = readSessionCookie(request)
  const session = token && (await findAdminSession(database, token, now()))
  if (!session) return reply.send(errorBody('UNAUTHENTICATED'))
  const answer = { ok: true, user: { username: session.username } }
  if ((request.query as { session?: unknown }).session !== 'missing') return reply.send(answer)
  const opened = await gateway.openSession(session, session.expiresAtMs)
  if (!opened || !(await tieDataSession(database, token, opened.id))) {
    // The user is gone or no admin any more, or the browser signed out meanwhile: so is the session.
    if (opened) await gateway.closeSession(opened)
    await closeAdminSession(database, token)
    clearSessionCookie(reply, publicUrl)
    return reply.send(errorBody('UNAUTHENTICATED'))
  }
  return reply.send({ ...answer, session: presentSession(opened.session) })
}
