import { accepted, refused, type Result } from '#domain/result.ts'
import { type AuthContext, asAuth } from './auth-context.ts'
import { findUserByEmail, normalizeEmail, type User } from './users.ts'

export type NewUser = {
  readonly email: string
  readonly password: string
  /** Travels in every access token; only the server writes it. */
  readonly appMetadata: Readonly<Record<string, unknown>>
}

/** Creates a user who can sign in at once. */
export async function createUser(
  { database, passwords }: AuthContext,
  { email, password, appMetadata }: NewUser,
): Promise<Result<{ id: string }, 'email_exists'>> {
  const encrypted = await passwords.hash(password)
  return database.transaction(asAuth, async (query) => {
    const [row] = await query<{ id: string }>(
      `insert into auth.users (email, encrypted_password, raw_app_meta_data)
       values ($1, $2, $3) on conflict (email) do nothing returning id`,
      [normalizeEmail(email), encrypted, JSON.stringify(appMetadata)],
    )
    return row ? accepted({ id: row.id }) : refused('email_exists')
  })
}

/** Sets a new password and ends all sessions of the user: who knew the old one is out. */
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

/** Whether anybody has that `app_metadata.role`. */
export function hasUserWithRole({ database }: AuthContext, role: string): Promise<boolean> {
  return database.transaction(asAuth, async (query) => {
    const rows = await query(
      `select from auth.users where raw_app_meta_data ->> 'role' = $1 limit 1`,
      [role],
    )
    return rows.length > 0
  })
}
