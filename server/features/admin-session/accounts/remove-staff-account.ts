import pg from 'pg'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { Admin, AuthGateway } from '../gateway/auth-gateway.ts'
import { forgetBrowsersOf } from '../sign-in/known-browsers.ts'
import { signOutEverywhere } from './sign-out-everywhere.ts'

/**
 * Switches a staff account off, ends its sessions and deletes its user of the auth service. The row of the account
 * remains, because the history refers to it. Refuses to remove the last owner who can sign in.
 */
export async function removeStaffAccount(
  { database, gateway }: { readonly database: Database; readonly gateway: AuthGateway },
  username: string,
): Promise<Result<Admin, 'UNKNOWN_USERNAME' | 'LAST_OWNER'>> {
  const admin = await gateway.findAdmin(username)
  if (!admin) return refused('UNKNOWN_USERNAME')
  if (!(await switchOff(database, admin.userId))) return refused('LAST_OWNER')
  await signOutEverywhere(database, admin.userId)
  await forgetBrowsersOf(database, username)
  await gateway.deleteUser(admin.userId)
  return accepted(admin)
}

/** True if the account is switched off; false if the account belongs to the last owner and therefore stays active. */
async function switchOff(database: Database, userId: string): Promise<boolean> {
  try {
    await database.transaction(asServer, (query) =>
      query('update public.staff_accounts set is_active = false where user_id = $1', [userId]),
    )
    return true
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === 'TT120') return false
    throw error
  }
}
