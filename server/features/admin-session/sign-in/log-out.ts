import type { FastifyReply, FastifyRequest } from 'fastify'
import { closeAdminSession } from '../admin-sessions.ts'
import type { AuthGateway } from '../gateway/auth-gateway.ts'
import type { AdminDependencies } from '../rights-checks.ts'
import { clearSessionCookie, readSessionCookie } from '../session-cookie.ts'

type Dependencies = AdminDependencies & { readonly gateway: AuthGateway }

/**
 * Signs the browser out. The browser remains a known browser, so wrong passwords from other browsers cannot block its
 * next sign-in.
 */
export async function logOut(
  dependencies: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await closePreviousSession(dependencies, request)
  clearSessionCookie(reply, dependencies.publicUrl)
}

/**
 * Ends the dashboard session of the browser's cookie; the database also ends the linked data sessions (tokens for the
 * REST API).
 */
export async function closePreviousSession(
  { gateway, database }: Pick<Dependencies, 'gateway' | 'database'>,
  request: FastifyRequest,
): Promise<void> {
  const token = readSessionCookie(request)
  const admin = token && (await closeAdminSession(database, token))
  if (!admin) return
  // The dashboard session has already ended, so an outage of the hosted auth service must not block the sign-out.
  await gateway.closeSessions(admin).catch((error: unknown) => {
    request.log.warn({ err: error }, 'a data session could not be ended')
  })
}
