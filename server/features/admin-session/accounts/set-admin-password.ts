import { accepted, type Result } from '#domain/result.ts'
import type { Database } from '@local/postgres'
import type { Admin, AuthGateway } from '../gateway/auth-gateway.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { endCodeApp } from '../code-app/code-apps.ts'
import { recordNewPassword } from '../sign-in/record-first-password.ts'
import { signOutEverywhere } from './sign-out-everywhere.ts'

/** Sets a new password for an admin, removes their authenticator app and ends all their sessions. */
export async function setAdminPassword(
  { database, gateway }: { readonly database: Database; readonly gateway: AuthGateway },
  username: string,
  password: string,
): Promise<Result<Admin, 'UNKNOWN_USERNAME'>> {
  const changed = await gateway.setPassword(username, password)
  if (!changed.ok) return changed
  await recordNewPassword(database, changed.value.userId)
  await database.transaction(asServer, (query) => endCodeApp(query, changed.value.userId, null))
  await signOutEverywhere(database, changed.value.userId)
  return accepted(changed.value)
}
