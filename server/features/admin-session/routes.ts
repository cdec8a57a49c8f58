import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { type DataSession, loginRequest } from '#contracts/admin-session.ts'
import { errorBody } from '#contracts/errors.ts'
import { signInLimits } from '#server/data-service/auth/sign-in-limits.ts'
import { sendRefusal } from '#server/platform/http-errors.ts'
import type { RateLimits } from '#server/platform/rate-limits.ts'
import { answerTooManyRequests } from '#server/platform/too-many-requests.ts'
import {
  closeAdminSession,
  findAdminSession,
  openAdminSession,
  tieDataSession,
} from './admin-sessions.ts'
import { type AuthGateway, staffEmail } from './auth-gateway.ts'
import type { AdminDependencies } from './require-admin.ts'
import { isFromOwnPage } from './same-origin.ts'
import { clearSessionCookie, readSessionCookie, setSessionCookie } from './session-cookie.ts'

type Dependencies = AdminDependencies & {
  readonly gateway: AuthGateway
  readonly limits: RateLimits
}

/** Signing in to the dashboard and out of it (specification, section 7). */
export function registerAdminSession(app: FastifyInstance, dependencies: Dependencies): void {
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

async function logIn(
  { gateway, limits, database, now, publicUrl }: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = z.safeParse(loginRequest, request.body)
  if (!body.success) return sendRefusal(reply, 'BAD_REQUEST', 'Please enter username and password.')
  const { username, password } = body.data
  const wait = await limits.take(request, signInLimits(staffEmail(username)))
  if (wait !== undefined) return answerTooManyRequests(request, reply, wait)
  const outcome = await gateway.signIn(username, password)
  if (!outcome.ok) return sendRefusal(reply, outcome.refusal)
  await limits.forgive(request)
  const { admin, opened } = outcome.value
  await leaveFormerSession({ gateway, database }, request)
  const token = await openAdminSession(database, admin, opened.id, now())
  // A new password was set while the old one was being checked.
  if (token === undefined) return sendRefusal(reply, 'INVALID_CREDENTIALS')
  setSessionCookie(reply, token, publicUrl)
  return reply.send({
    ok: true,
    message: 'Login Successful',
    user: { username: admin.username },
    session: presentSession(opened.session),
  })
}

async function whoAmI(
  { gateway, database, now, publicUrl }: Dependencies,
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

async function logOut(
  dependencies: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await leaveFormerSession(dependencies, request)
  clearSessionCookie(reply, dependencies.publicUrl)
  return reply.send({ ok: true })
}

/** Ends the session of this browser's cookie; the database ends all that was handed to it. */
async function leaveFormerSession(
  { gateway, database }: Pick<Dependencies, 'gateway' | 'database'>,
  request: FastifyRequest,
): Promise<void> {
  const token = readSessionCookie(request)
  const admin = token && (await closeAdminSession(database, token))
  if (!admin) return
  // The cookie is dead already; a hosted auth service that cannot be reached must not keep anyone here.
  await gateway.closeSessions(admin).catch((error: unknown) => {
    request.log.warn({ err: error }, 'a data session was not ended')
  })
}

function presentSession(session: DataSession): DataSession {
  const { access_token, refresh_token, expires_in, expires_at } = session
  return { access_token, refresh_token, expires_in, expires_at }
}
