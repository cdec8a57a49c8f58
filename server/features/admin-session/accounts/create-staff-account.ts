import { accepted, refused, type Result } from '#domain/result.ts'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { Admin, AuthGateway, NewAdmin } from '../gateway/auth-gateway.ts'

/**
 * Creates a user of the auth service and the staff account of this user. If an earlier process crashed between these
 * two steps, the user exists without a staff account; this user then gets the staff account and the new password.
 */
export async function createStaffAccount(
  { database, gateway }: { readonly database: Database; readonly gateway: AuthGateway },
  account: NewAdmin,
): Promise<Result<Admin, 'USERNAME_TAKEN'>> {
  const { username, password, role } = account
  const created = await gateway.createAdmin(account)
  const found = created.ok ? created.value : await gateway.findAdmin(username)
  if (!found) return refused('USERNAME_TAKEN')
  // If an earlier user with the same name was removed, the staff account of that user is assigned to the new user.
  const stored = await database.transaction(asServer, (query) =>
    query(
      `insert into public.staff_accounts as known (user_id, username, role) values ($1, $2, $3)
       on conflict (username) do update set user_id = excluded.user_id, role = excluded.role, is_active = true
         where known.user_id <> excluded.user_id returning user_id`,
      [found.userId, found.username, role],
    ),
  )
  if (stored.length === 0) return refused('USERNAME_TAKEN')
  if (!created.ok) await gateway.setPassword(found.username, password)
  return accepted(found)
}
