import { accepted, type Result } from '#domain/result.ts'
import type { Database } from '@local/postgres'
import type { Admin, AuthGateway } from '../gateway/auth-gateway.ts'
import { forgetBrowsersOf } from '../sign-in/known-browsers.ts'
import { signOutEverywhere } from './sign-out-everywhere.ts'

/** Removes an admin and ends their sessions. Keeps the last admin who can sign in, unless `evenTheLast` is set. */
export async function removeAdmin(
  { database, gateway }: { readonly database: Database; readonly gateway: AuthGateway },
  username: string,
  evenTheLast: boolean,
): Promise<Result<Admin, 'UNKNOWN_USERNAME' | 'LAST_ADMIN'>> {
  const removed = await gateway.removeAdmin(username, evenTheLast)
  if (!removed.ok) return removed
  await signOutEverywhere(database, removed.value.userId)
  await forgetBrowsersOf(database, username)
  return accepted(removed.value)
}
