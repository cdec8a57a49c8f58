import { rowsAs } from '@local/postgres'
import { accepted, refused, type Result } from '../result.ts'
import { type AuthContext, asAuth } from './auth-context.ts'
import { findUserByEmail, normalizeEmail, type User } from './users.ts'

export type NewUser = {
  readonly email: string
  readonly password: string
  /** The metadata that every access token of the user contains. Users cannot change it. */
  readonly appMetadata: Readonly<Record<string, unknown>>
}

/** Creates a user. The user can sign in immediately, without confirming an email address. */
export async function createUser(
  { database, passwords }: AuthContext,
  { email, password, appMetadata }: NewUser,
): Promise<Result<{ id: string }, 'email_exists'>> {
  const encrypted = await passwords.hash(password)
  return database.transaction(asAuth, async (query) => {
    const [row] = await query(
      `insert into auth.users (email, encrypted_password, raw_app_meta_data)
       values ($1, $2, $3) on conflict (email) do nothing returning id`,
      [normalizeEmail(email), encrypted, JSON.stringify(appMetadata)],
    )
    return row ? accepted({ id: row.id }) : refused('email_exists')
  })
}

/** Sets a new password and ends all sessions of the user, including those that began with the old password. */
export async function setPassword(
  { database, passwords }: AuthContext,
  email: string,
  password: string,
): Promise<Result<User, 'user_not_found'>> {
  const encrypted = await passwords.hash(password)
  return database.transaction(asAuth, async (query) => {
    const found = await findUserByEmail(query, email)
    if (!found) return refused('user_not_found')
    const { user } = found
    await query('update auth.users set encrypted_password = $2, updated_at = now() where id = $1', [
      user.id,
      encrypted,
    ])
    await query('delete from auth.sessions where user_id = $1', [user.id])
    return accepted(user)
  })
}

/** Whether at least one user has `role` as `app_metadata.role`. */
export function hasUserWithRole({ database }: AuthContext, role: string): Promise<boolean> {
  return database.transaction(asAuth, async (query) => {
    const rows = await query(
      `select from auth.users where raw_app_meta_data ->> 'role' = $1 limit 1`,
      [role],
    )
    return rows.length > 0
  })
}

type Removal = {
  readonly email: string
  /** The `app_metadata.role` that the user must have. */
  readonly role: string
  readonly evenTheLast: boolean
}

/**
 * Deletes a user with all sessions. Refuses to delete the last user of the role who can sign in, unless `evenTheLast`
 * is set.
 */
export function removeUser(
  { database, now }: AuthContext,
  { email, role, evenTheLast }: Removal,
): Promise<Result<{ id: string }, 'user_not_found' | 'last_of_role'>> {
  return database.transaction(asAuth, async (query) => {
    // Locks all users of the role in the same order, so that two concurrent calls cannot delete the last two users.
    const users = rowsAs<{ id: string; email: string | null; can_sign_in: boolean }>(
      await query(
        `select id, email, banned_until is null or banned_until <= to_timestamp($2) as can_sign_in
       from auth.users where raw_app_meta_data ->> 'role' = $1 order by id for update`,
        [role, now() / 1000],
      ),
    )
    const found = users.find((user) => user.email === normalizeEmail(email))
    if (!found) return refused('user_not_found')
    const isLast = !users.some((user) => user !== found && user.can_sign_in)
    if (isLast && !evenTheLast) return refused('last_of_role')
    await query('delete from auth.users where id = $1', [found.id])
    return accepted({ id: found.id })
  })
}
