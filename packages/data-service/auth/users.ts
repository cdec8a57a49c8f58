import { type Query, rowsAs } from '@local/postgres'

/** A row of auth.users; points in time are ISO 8601 text. */
export type User = {
  readonly id: string
  readonly email: string
  readonly raw_app_meta_data: Readonly<Record<string, unknown>>
  readonly raw_user_meta_data: Readonly<Record<string, unknown>>
  readonly created_at: string
  readonly updated_at: string
  readonly last_sign_in_at: string | null
  readonly banned_until: string | null
}

/** The row of a user as JSON, without the password hash, so that no response can contain the hash. */
const columns = `to_jsonb(users) - 'encrypted_password' as "user"`

export async function findUser(query: Query, id: string): Promise<User | undefined> {
  const [row] = rowsAs<{ user: User }>(
    await query(`select ${columns} from auth.users where id = $1`, [id]),
  )
  return row?.user
}

export async function findUserByEmail(
  query: Query,
  email: string,
): Promise<{ user: User; encryptedPassword: string | null } | undefined> {
  const [row] = rowsAs<{ user: User; encrypted_password: string | null }>(
    await query(`select ${columns}, encrypted_password from auth.users where email = $1`, [
      normalizeEmail(email),
    ]),
  )
  return row && { user: row.user, encryptedPassword: row.encrypted_password }
}

/** A user who tries to sign in. */
export type SignInCandidate = {
  readonly user: User
  readonly encryptedPassword: string | null
  /** Whether the user may open a session with the correct password. */
  readonly isAllowed: boolean
}

/**
 * Finds a user who tries to sign in, and evaluates `condition` in the same statement. `condition` is an SQL expression
 * over a row `s` of auth.sessions; here `s` is a session that has no id yet. The statement is the same for known and
 * unknown users.
 */
export async function findSignInCandidate(
  query: Query,
  email: string,
  condition: string,
): Promise<SignInCandidate | undefined> {
  const [row] = await query.unchecked<{
    user: User
    encrypted_password: string | null
    is_allowed: boolean | null
  }>(
    `select ${columns}, encrypted_password,
       (select ${condition} from (select users.id as user_id, null::uuid as id) as s) as is_allowed
     from auth.users where email = $1`,
    [normalizeEmail(email)],
  )
  return (
    row && {
      user: row.user,
      encryptedPassword: row.encrypted_password,
      isAllowed: row.is_allowed === true,
    }
  )
}

/**
 * Records the time of a sign-in and stores the password's hash, which may be a new hash of the same password. Returns
 * the user; undefined when the password has changed since `encryptedPassword` was checked.
 */
export async function recordSignIn(
  query: Query,
  checked: { id: string; encryptedPassword: string | null; newHash: string | null },
  nowMs: number,
): Promise<User | undefined> {
  const [row] = rowsAs<{ user: User }>(
    await query(
      `update auth.users set last_sign_in_at = to_timestamp($3), encrypted_password = coalesce($4, encrypted_password)
     where id = $1 and encrypted_password = $2 returning ${columns}`,
      [checked.id, checked.encryptedPassword, nowMs / 1000, checked.newHash],
    ),
  )
  return row?.user
}

/** Returns whether the user is banned at `nowMs` (milliseconds since 1970). */
export function isBanned(user: User, nowMs: number): boolean {
  return user.banned_until !== null && Date.parse(user.banned_until) > nowMs
}

export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** Converts a row of auth.users to the user object of GoTrue's protocol. */
export function presentUser(user: User): object {
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    email_confirmed_at: user.created_at,
    confirmed_at: user.created_at,
    phone: '',
    last_sign_in_at: user.last_sign_in_at,
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    identities: [],
    created_at: user.created_at,
    updated_at: user.updated_at,
    is_anonymous: false,
  }
}
