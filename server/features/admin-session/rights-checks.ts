import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StaffRole } from '#contracts/staff-accounts.ts'
import type { Database } from '@local/postgres'
import type { RightsChecks } from '#server/platform/http/declare-routes.ts'
import { sendRefusal } from '#server/platform/http/errors.ts'
import { findAdminSession } from './admin-sessions.ts'
import type { LiveSessions } from './gateway/live-sessions.ts'
import { isFromOwnPage } from './same-origin.ts'
import { readSessionCookie } from './session-cookie.ts'

export type AdminDependencies = {
  readonly database: Database
  readonly now: () => number
  readonly publicUrl: string
  readonly liveSessions: LiveSessions
}

/**
 * The checks of routes that declare the rights 'own page', 'staff' (every role), 'admin' (owners and advisors) or 'owner'. They return 403 for
 * a request from a page of another site, 401 without a dashboard session, and 403 for another role.
 */
export function createRightsChecks(dependencies: AdminDependencies): RightsChecks {
  const { database, now, publicUrl, liveSessions } = dependencies
  const requireOwnPage = async (request: FastifyRequest, reply: FastifyReply) =>
    isFromOwnPage(request, publicUrl) ? undefined : sendRefusal(reply, 'CROSS_ORIGIN')
  const requireRole =
    (roles: readonly StaffRole[]) => async (request: FastifyRequest, reply: FastifyReply) => {
      const refusal = await requireOwnPage(request, reply)
      if (refusal) return refusal
      const token = readSessionCookie(request)
      const session =
        token === undefined ? undefined : await findAdminSession(database, token, now())
      liveSessions.note(request, 'cookie', session !== undefined)
      if (!session) return sendRefusal(reply, 'UNAUTHENTICATED')
      return roles.includes(session.role) ? undefined : sendRefusal(reply, 'NOT_ALLOWED')
    }
  return {
    'own page': requireOwnPage,
    staff: requireRole(['owner', 'advisor', 'technician']),
    admin: requireRole(['owner', 'advisor']),
    owner: requireRole(['owner']),
  }
}
