import type { FastifyRequest } from 'fastify'
import type { Database } from '#packages/postgres/database.ts'
import { findAdminSession } from '../admin-sessions.ts'
import { readSessionCookie } from '../session-cookie.ts'

/** In whose name a request is done that `requireAdmin` let through: the username. `now` is in milliseconds. */
export async function requireAdminName(
  { database, now }: { readonly database: Database; readonly now: () => number },
  request: FastifyRequest,
): Promise<string> {
  const token = readSessionCookie(request)
  const session = token && (await findAdminSession(database, token, now()))
  if (!session) throw new Error('The session ended while its request was answered')
  return session.username
}
