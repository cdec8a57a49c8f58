import type { Database } from '@local/postgres'
import { accepted, refused, type Result } from '#domain/result.ts'
import { findPasswordProblem } from '#server/features/admin-session/accounts/password-problem.ts'
import {
  type AdminSession,
  closeOtherSessions,
} from '#server/features/admin-session/admin-sessions.ts'
import type { AuthGateway } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { recordNewPassword } from '#server/features/admin-session/sign-in/record-first-password.ts'
import { revokeSignInCodesOf } from '#server/features/admin-session/sign-in/sign-in-codes.ts'
import { recordOwnChange } from '#server/features/audit/record-audit.ts'
import { asServer } from '#server/platform/database/identities.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'

type Dependencies = { readonly database: Database; readonly gateway: AuthGateway }

/**
 * Sets the password of the signed-in team member and signs the other browsers out. The current browser stays signed in
 * and receives a new data session (a session for the REST API), because the auth service ends all data sessions when
 * the password changes.
 */
export async function changePassword(
  { database, gateway }: Dependencies,
  { userId, username }: AdminSession,
  { password, token }: { readonly password: string; readonly token: string },
): Promise<Result<true, Refusal>> {
  const problem = await findPasswordProblem(password)
  if (problem !== undefined) {
    return refused({ code: 'WEAK_PASSWORD', message: `The password ${problem}.` })
  }
  const changed = await gateway.setPassword(username, password)
  if (!changed.ok) return refused({ code: 'UNAUTHENTICATED' })
  await recordNewPassword(database, userId)
  await database.transaction(asServer, (query) =>
    recordOwnChange(query, 'password_changed', { userId }),
  )
  await revokeSignInCodesOf(database, userId)
  await closeOtherSessions(database, userId, token)
  await gateway.closeSessions(changed.value)
  return accepted(true)
}
