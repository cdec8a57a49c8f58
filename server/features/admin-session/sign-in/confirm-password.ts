import type { FastifyRequest } from 'fastify'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'
import { confirmAdminSession, findAdminSession } from '../admin-sessions.ts'
import { readSessionCookie } from '../session-cookie.ts'
import { type LogInDependencies, tryPassword } from './log-in.ts'

/**
 * Checks the password of the signed-in staff account, within the limits of sign-in, and lets this session give money
 * back for five minutes. Returns the end of this period, in milliseconds since 1970.
 */
export async function confirmPassword(
  dependencies: LogInDependencies,
  password: string,
  request: FastifyRequest,
): Promise<Result<number, Refusal>> {
  const { database, gateway, now } = dependencies
  const token = readSessionCookie(request) ?? ''
  const admin = await findAdminSession(database, token, now())
  if (!admin) return refused({ code: 'UNAUTHENTICATED' })
  const outcome = await tryPassword(dependencies, request, { username: admin.username, password })
  if (!outcome.ok) {
    const { refusal } = outcome
    return refused(refusal === 'INVALID_CREDENTIALS' ? { code: 'WRONG_PASSWORD' } : refusal)
  }
  await gateway.closeSession(outcome.value.opened)
  return accepted(await confirmAdminSession(database, token, now()))
}
