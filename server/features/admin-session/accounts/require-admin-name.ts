import type { FastifyRequest } from 'fastify'
import type { Database } from '@local/postgres'
import { findAdminSession } from '../admin-sessions.ts'
import { readSessionCookie } from '../session-cookie.ts'

/** Returns the username of the admin whose request the rights check accepted. */
export async function requireAdminName(
  { database }: { readonly database: Database },
  request: FastifyRequest,
): Promise<string> {
  const token = readSessionCookie(request)
  const session = token && (await findAdminSession(database, token))
  if (!session) throw new Error('The session ended during the request')
  return session.username
}
