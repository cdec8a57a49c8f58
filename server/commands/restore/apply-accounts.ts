import { type Client, DatabaseError } from 'pg'
import type { Facts } from '#server/platform/backup/latest-facts.ts'

/**
 * Updates the staff accounts of the recovered database with the passwords, roles and removals that changed after the
 * moment to which the database was restored. If no owner could sign in afterwards, changes nothing and returns false.
 */
export async function applyAccounts(client: Client, facts: Facts): Promise<boolean> {
  await client.query('begin')
  try {
    await changeUsers(client, facts)
    await changeStaffAccounts(client, facts)
    const { rows } = await client.query<{ exists: boolean }>(
      'select internal.has_owner() as exists',
    )
    const isApplied = rows[0]?.exists === true
    await client.query(isApplied ? 'commit' : 'rollback')
    return isApplied
  } catch (error) {
    await client.query('rollback')
    if (error instanceof DatabaseError && error.code === 'TT120') return false
    throw error
  }
}

/**
 * Sets the passwords that changed after the moment to which the database was restored, and deletes the users of staff
 * who were removed after that moment.
 */
async function changeUsers(client: Client, { accounts }: Facts): Promise<void> {
  const userIds = accounts.map(({ userId }) => userId)
  const hashes = accounts.map(({ passwordHash }) => passwordHash)
  await client.query(
    `update auth.users set encrypted_password = later.hash, updated_at = now()
     from unnest($1::uuid[], $2::text[]) later (id, hash) where users.id = later.id`,
    [userIds, hashes],
  )
  await client.query(
    `delete from auth.users
     where id in (select user_id from public.staff_accounts) and id <> all ($1::uuid[])`,
    [userIds],
  )
}

/**
 * Gives each staff account its newest role, and switches off the accounts that are missing in the newest staff data at
 * the backup target (`facts`). Data from an earlier version of the site lack `staff`, and their `accounts` contain only
 * the users who could sign in.
 */
async function changeStaffAccounts(client: Client, { accounts, staff = [] }: Facts): Promise<void> {
  const later = [
    staff.map(({ userId }) => userId),
    staff.map(({ role }) => role),
    staff.map(({ isActive }) => isActive),
  ]
  // The accounts that became owners after the moment to which the database was restored are promoted first, because the
  // database refuses to demote the last active owner.
  for (const areOwners of [true, false]) {
    await client.query(
      `update public.staff_accounts account set role = later.role, is_active = later.is_active
       from unnest($1::uuid[], $2::text[], $3::boolean[]) later (id, role, is_active)
       where account.user_id = later.id and (later.role = 'owner' and later.is_active) = $4`,
      [...later, areOwners],
    )
  }
  const known = [...staff, ...accounts].map(({ userId }) => userId)
  await client.query(
    `update public.staff_accounts set is_active = false where is_active and user_id <> all ($1::uuid[])`,
    [known],
  )
}
