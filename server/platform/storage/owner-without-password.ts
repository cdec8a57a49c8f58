import type { Client } from 'pg'
import { queryOf } from '@local/postgres'

/**
 * Returns the username of an active owner if no active owner of a restored shop has a password; otherwise undefined.
 * For example, a backup of a hosted Supabase project contains no passwords.
 */
export async function findOwnerWithoutPassword(client: Client): Promise<string | undefined> {
  const query = queryOf(client)
  const owners = await query(
    `select username, internal.has_password(user_id) as has_password from public.staff_accounts
     where role = 'owner' and is_active order by created_at, username`,
  )
  return owners.some((owner) => owner.has_password) ? undefined : owners[0]?.username
}
