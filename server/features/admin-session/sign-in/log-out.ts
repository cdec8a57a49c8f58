import type { FastifyReply, FastifyRequest } from 'fastify'
import { closeAdminSession } from '../admin-sessions.ts'
import type { AuthGateway } from '../gateway/auth-gateway.ts'
import type { AdminDependencies } from '../require-admin.ts'
import { clearSessionCookie, readSessionCookie } from '../session-cookie.ts'

type Dependencies = AdminDependencies & { readonly gateway: AuthGateway }

/** Ends the session; the browser stays a known one. */
export async function logOut(
  dependencies: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await closePreviousSession(dependencies, request)
  clearSessionCookie(reply, dependencies.publicUrl)
}

/** Ends the session of this browser's cookie; the database ends all that was handed to it. */
export async function closePreviousSession(
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
