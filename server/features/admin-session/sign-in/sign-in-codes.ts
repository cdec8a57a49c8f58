import { createHash } from 'node:crypto'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { Admin } from '../gateway/auth-gateway.ts'
import { generatePassword } from '../accounts/generate-password.ts'

/** The lifetime of a sign-in code: long enough for the owner to walk from the server to the tablet in the shop. */
export const codeMinutes = 15

/**
 * The format of a sign-in code, the same as that of a generated password. The server does not search the database for a
 * value in another format.
 */
const format = /^([a-z2-9]{4}-){4}[a-z2-9]{4}$/

/** Creates a code with which `admin` can sign in once instead of with the password, and returns the code. */
export async function issueSignInCode(
  database: Database,
  admin: Admin,
  nowMs: number,
): Promise<string> {
  const code = generatePassword()
  await database.transaction(asServer, async (query) => {
    await query('delete from internal.sign_in_codes where expires_at <= to_timestamp($1)', [
      nowMs / 1000,
    ])
    await query(
      `insert into internal.sign_in_codes (code_hash, user_id, username, expires_at)
       values ($1, $2, $3, to_timestamp($4))`,
      [hash(code), admin.userId, admin.username, nowMs / 1000 + codeMinutes * 60],
    )
  })
  return code
}

/**
 * Uses up a sign-in code and returns the admin for whom the code was created. A request costs one lookup by primary
 * key, or no lookup when the format is wrong.
 */
export async function redeemSignInCode(
  database: Database,
  username: string,
  code: string,
  nowMs: number,
): Promise<Admin | undefined> {
  if (!format.test(code)) return undefined
  return database.transaction(asServer, async (query) => {
    const [row] = await query(
      `delete from internal.sign_in_codes
       where code_hash = $1 and lower(username) = $2 and expires_at > to_timestamp($3)
       returning user_id, username`,
      [hash(code), username.toLowerCase(), nowMs / 1000],
    )
    return row && { userId: row.user_id, username: row.username }
  })
}

/** Revokes the sign-in codes of an admin. */
export async function revokeSignInCodesOf(database: Database, userId: string): Promise<void> {
  await database.transaction(asServer, (query) =>
    query('delete from internal.sign_in_codes where user_id = $1', [userId]),
  )
}

function hash(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}
