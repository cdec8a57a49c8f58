import { accepted, refused, type Result } from '../result.ts'
import { type AuthContext, asAuth } from './auth-context.ts'
import { findUserByEmail, normalizeEmail, type User } from './users.ts'

export type NewUser = {
  readonly email: string
  /** The password; undefined for a user who cannot sign in with a password. */
  readonly password: string | undefined
  /** The id of the user (uuid); a random id by default. */
  readonly id?: string | undefined
  /** The metadata that every access token of the user contains. Users cannot change these metadata. */
  readonly appMetadata: Readonly<Record<string, unknown>>
}

/** Creates a user. The user can sign in immediately, without confirming an email address. */
export async function createUser(
  { database, passwords }: AuthContext,
  { email, password, id, appMetadata }: NewUser,
): Promise<Result<{ id: string }, 'email_exists'>> {
  const encrypted = password === undefined ? null : await passwords.hash(password)
  return database.transaction(asAuth, async (query) => {
    const [row] = await query(
      `insert into auth.users (id, email, encrypted_password, raw_app_meta_data)
       values (coalesce($4::uuid, gen_random_uuid()), $1, $2, $3) on conflict (email) do nothing returning id`,
      [normalizeEmail(email), encrypted, JSON.stringify(appMetadata), id ?? null],
    )
    return row ? accepted({ id: row.id }) : refused('email_exists')
  })
}

/** Sets a new password and ends all sessions of the user, so that nobody stays signed in with the old password. */
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

/** Deletes a user with all sessions; does nothing when the user does not exist. */
export async function deleteUser({ database }: AuthContext, userId: string): Promise<void> {
  await database.transaction(asAuth, (query) =>
    query('delete from auth.users where id = $1', [userId]),
  )
}
