import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StaffRole } from '#contracts/staff-accounts.ts'
import type { Database } from '@local/postgres'
import type { RightsChecks } from '#server/platform/http/declare-routes.ts'
import { sendRefusal } from '#server/platform/http/errors.ts'
import { recordRefusal } from '#server/features/audit/record-audit.ts'
import { type AdminSession, findAdminSession, recordUse } from './admin-sessions.ts'
import type { LiveSessions } from './gateway/live-sessions.ts'
import { isFromOwnPage } from './same-origin.ts'
import { readSessionCookie } from './session-cookie.ts'

/**
 * A PIN is short, so a session at a shared tablet allows the daily work but not the settings of the team member's
 * account.
 */
const mayUse = ({ isAtTablet }: AdminSession, { routeOptions }: FastifyRequest): boolean =>
  !isAtTablet || routeOptions.config.endpoint?.atTablet === true

const mustSetUpCodeAppFirst = (
  { needsCodeApp }: AdminSession,
  { routeOptions }: FastifyRequest,
): boolean => needsCodeApp && routeOptions.config.endpoint?.beforeCodeApp !== true

export type AdminDependencies = {
  readonly database: Database
  readonly now: () => number
  readonly publicUrl: string
  readonly liveSessions: LiveSessions
}

/**
 * The checks for the rights that a route can declare: 'own page', 'staff' (every role), 'admin' (owners and advisors),
 * 'owner' and 'step-up' (step-up authentication). A check of the role returns 401 without a dashboard session. The
 * checks return 403 for a request from a page of another site, for a role without the right, without a recent step-up
 * authentication, and while the account must first set up an authenticator app.
 */
export function createRightsChecks(dependencies: AdminDependencies): RightsChecks {
  const { database, publicUrl, liveSessions } = dependencies
  const requireOwnPage = async (request: FastifyRequest, reply: FastifyReply) =>
    isFromOwnPage(request, publicUrl) ? undefined : sendRefusal(reply, 'CROSS_ORIGIN')
  const requireRole =
    (roles: readonly StaffRole[]) => async (request: FastifyRequest, reply: FastifyReply) => {
      const refusal = await requireOwnPage(request, reply)
      if (refusal) return refusal
      const token = readSessionCookie(request) ?? ''
      const session = await findAdminSession(database, token)
      liveSessions.note(request, 'cookie', session !== undefined)
      if (!session) return sendRefusal(reply, 'UNAUTHENTICATED')
      if (mustSetUpCodeAppFirst(session, request)) return sendRefusal(reply, 'CODE_APP_REQUIRED')
      // Pages send GET requests automatically. Only an action of a team member sends a POST request, so only POST
      // requests count as use of the session.
      if (request.method === 'POST') await recordUse(database, token)
      if (roles.includes(session.role) && mayUse(session, request)) return undefined
      const detail = request.routeOptions.url ?? ''
      await recordRefusal(database, request, {
        kind: 'not_allowed',
        userId: session.userId,
        detail,
      })
      return sendRefusal(reply, 'NOT_ALLOWED')
    }
  const requireStepUp = async (request: FastifyRequest, reply: FastifyReply) => {
    const session = await findAdminSession(database, readSessionCookie(request) ?? '')
    return session?.isConfirmed ? undefined : sendRefusal(reply, 'STEP_UP_REQUIRED')
  }
  return {
    'own page': requireOwnPage,
    staff: requireRole(['owner', 'advisor', 'technician']),
    admin: requireRole(['owner', 'advisor']),
    owner: requireRole(['owner']),
    'step-up': requireStepUp,
  }
}
