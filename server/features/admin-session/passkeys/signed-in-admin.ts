import type { FastifyRequest } from 'fastify'
import { accepted, refused, type Result } from '#domain/result.ts'
import { type AdminSession, findAdminSession } from '../admin-sessions.ts'
import type { AdminDependencies } from '../rights-checks.ts'
import { readSessionCookie } from '../session-cookie.ts'

/** Returns the dashboard session of the team member who sends a request. */
export async function signedInAdmin(
  { database }: AdminDependencies,
  request: FastifyRequest,
): Promise<Result<AdminSession, { readonly code: 'UNAUTHENTICATED' }>> {
  const token = readSessionCookie(request)
  const session = token === undefined ? undefined : await findAdminSession(database, token)
  return session ? accepted(session) : refused({ code: 'UNAUTHENTICATED' })
}
