import type { FastifyRequest } from 'fastify'
import type { Database } from '@local/postgres'
import { refused, type Result } from '#domain/result.ts'
import { findAdminSession } from '#server/features/admin-session/admin-sessions.ts'
import { readSessionCookie } from '#server/features/admin-session/session-cookie.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'

/**
 * Runs `work`, which changes a setting, with the user id of the signed-in owner. Refuses the change if an environment
 * variable determines the setting.
 */
export async function asOwner<Value>(
  database: Database,
  request: FastifyRequest,
  isSetByEnvironment: boolean,
  work: (userId: string) => Promise<Result<Value, Refusal>>,
): Promise<Result<Value, Refusal>> {
  if (isSetByEnvironment) return refused({ code: 'SET_BY_ENVIRONMENT' })
  const session = await findAdminSession(database, readSessionCookie(request) ?? '')
  return session ? work(session.userId) : refused({ code: 'UNAUTHENTICATED' })
}
