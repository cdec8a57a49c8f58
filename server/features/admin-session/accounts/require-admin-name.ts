import type { FastifyRequest } from 'fastify'
import type { Database } from '@local/postgres'
import { findAdminSession } from '../admin-sessions.ts'
import { readSessionCookie } from '../session-cookie.ts'

/**
 * Returns the username of the signed-in staff account that sent a request. The rights check has already accepted the
 * request.
 */
export async function requireAdminName(
  { database }: { readonly database: Database },
  request: FastifyRequest,
): Promise<string> {
  const token = readSessionCookie(request)
  const session = token && (await findAdminSession(database, token))
  if (!session) throw new Error('The session ended during the request')
  return session.username
}
