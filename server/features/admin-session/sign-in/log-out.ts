import type { FastifyReply, FastifyRequest } from 'fastify'
import { closeAdminSession } from '../admin-sessions.ts'
import type { AuthGateway } from '../gateway/auth-gateway.ts'
import type { AdminDependencies } from '../rights-checks.ts'
import { clearSessionCookie, readSessionCookie } from '../session-cookie.ts'

type Dependencies = AdminDependencies & { readonly gateway: AuthGateway }

/** Signs the browser out. The browser stays known, so its password attempts still have their own limit. */
export async function logOut(
  dependencies: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await closePreviousSession(dependencies, request)
  clearSessionCookie(reply, dependencies.publicUrl)
}

/** Ends the session of the browser's cookie; the database ends the data sessions of that session too. */
export async function closePreviousSession(
  { gateway, database }: Pick<Dependencies, 'gateway' | 'database'>,
  request: FastifyRequest,
): Promise<void> {
  const token = readSessionCookie(request)
  const admin = token && (await closeAdminSession(database, token))
  if (!admin) return
  // The session of the cookie has already ended, so an outage of the hosted auth service must not block the sign-out.
  await gateway.closeSessions(admin).catch((error: unknown) => {
    request.log.warn({ err: error }, 'a data session could not be ended')
  })
}
