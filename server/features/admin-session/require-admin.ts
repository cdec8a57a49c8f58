import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '@local/postgres'
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
 * A preHandler for admin routes. Returns 401 without a dashboard session, and 403 for a request from a page of
 * another site.
 */
export function requireAdmin(dependencies: AdminDependencies) {
  const { database, now, publicUrl, liveSessions } = dependencies
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    reply.header('cache-control', 'no-store')
    if (!isFromOwnPage(request, publicUrl)) return sendRefusal(reply, 'CROSS_ORIGIN')
    const token = readSessionCookie(request)
    const session = token === undefined ? undefined : await findAdminSession(database, token, now())
    liveSessions.note(request, 'cookie', session !== undefined)
    if (!session) return sendRefusal(reply, 'UNAUTHENTICATED')
    return undefined
  }
}
