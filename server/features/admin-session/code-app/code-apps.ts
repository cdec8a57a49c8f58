import { type Database, type Query, rowsAs } from '@local/postgres'
import { accepted, refused, type Result } from '#domain/result.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { openSecret, sealSecret, WrongSecretsKeyError } from '#server/platform/secrets/seal.ts'
import { replaceRecoveryCodes, spendRecoveryCode } from './recovery-codes.ts'
import { createSecret, stepOfCode } from './time-codes.ts'

export type CodeAppDependencies = {
  readonly database: Database
  readonly now: () => number
  /** The key that encrypts the secrets of the authenticator apps. */
  readonly secretsKey: Buffer
}

type TypedCode = { readonly userId: string; readonly code: string }

/**
 * Returns the time at which the account's authenticator app was set up, in milliseconds since 1970, and the number
 * of unused recovery codes.
 */
export async function readCodeApp(database: Database, userId: string) {
  const rows = await database.transaction(asServer, (query) =>
    query(
      `select (extract(epoch from confirmed_at) * 1000)::float8 as since_ms,
         (select count(*) from internal.recovery_codes code
          where code.user_id = app.user_id and used_at is null)::int as codes_left
       from internal.code_apps app where user_id = $1 and confirmed_at is not null`,
      [userId],
    ),
  )
  const [row] = rowsAs<{ since_ms: number; codes_left: number }>(rows)
  return row
}

/** Whether the account needs a code from an authenticator app in addition to its password. */
export async function hasCodeApp(database: Database, userId: string): Promise<boolean> {
  const rows = await database.transaction(asServer, (query) =>
    query('select internal.has_code_app($1) as has_code_app', [userId]),
  )
  return rowsAs<{ has_code_app: boolean }>(rows)[0]?.has_code_app ?? false
}

/**
 * Creates and stores a new secret for an authenticator app, and returns the secret. Replaces an earlier secret that
 * was not confirmed with a code.
 */
export async function startCodeApp(
  { database, secretsKey }: CodeAppDependencies,
  userId: string,
): Promise<Result<string, 'CODE_APP_ON'>> {
  const secret = createSecret()
  const rows = await database.transaction(asServer, (query) =>
    query(
      `insert into internal.code_apps as app (user_id, sealed_secret) values ($1, $2)
       on conflict (user_id) do update set sealed_secret = excluded.sealed_secret
       where app.confirmed_at is null returning 1`,
      [userId, sealSecret(secretsKey, secret)],
    ),
  )
  return rows.length > 0 ? accepted(secret) : refused('CODE_APP_ON')
}

/** Activates the authenticator app of an account if the entered code is right, and returns the recovery codes. */
export function confirmCodeApp(
  { database, now, secretsKey }: CodeAppDependencies,
  { userId, code }: TypedCode,
): Promise<Result<string[], 'WRONG_CODE'>> {
  return database.transaction(asServer, async (query) => {
    const secret = await readSecret(query, secretsKey, userId)
    const step = secret === undefined ? undefined : stepOfCode(secret, digitsOf(code), now())
    if (step === undefined) return refused('WRONG_CODE')
    const rows = await query(
      `update internal.code_apps set confirmed_at = now(), last_step = $2
       where user_id = $1 and confirmed_at is null returning 1`,
      [userId, step],
    )
    if (rows.length === 0) return refused('WRONG_CODE')
    return accepted(await replaceRecoveryCodes(query, secretsKey, userId))
  })
}

/** Replaces the recovery codes of an account that has an authenticator app. */
export function renewRecoveryCodes(
  { database, secretsKey }: CodeAppDependencies,
  userId: string,
): Promise<Result<string[], 'CODE_APP_OFF'>> {
  return database.transaction(asServer, async (query) => {
    const [row] = await query('select internal.has_code_app($1) as has_code_app', [userId])
    if (!row?.has_code_app) return refused('CODE_APP_OFF')
    return accepted(await replaceRecoveryCodes(query, secretsKey, userId))
  })
}

/**
 * Removes the authenticator app and the recovery codes of an account. `endedBy` is the team member who removed them, or
 * null when a command on the server removed them.
 */
export async function endCodeApp(
  query: Query,
  userId: string,
  endedBy: string | null,
): Promise<void> {
  await query('select internal.end_code_app($1, $2)', [userId, endedBy])
}

/**
 * Checks a code of the authenticator app or a recovery code, and marks the code as used. Returns true if the code is
 * right and was unused.
 */
export async function spendCode(
  query: Query,
  { now, secretsKey }: CodeAppDependencies,
  { userId, code }: TypedCode,
): Promise<boolean> {
  const secret = await readSecret(query, secretsKey, userId)
  const step = secret === undefined ? undefined : stepOfCode(secret, digitsOf(code), now())
  if (step === undefined) return spendRecoveryCode(query, secretsKey, { userId, code })
  const rows = await query(
    `update internal.code_apps set last_step = $2
     where user_id = $1 and confirmed_at is not null and last_step < $2 returning 1`,
    [userId, step],
  )
  return rows.length > 0
}

const digitsOf = (code: string): string => code.replaceAll(/\s/g, '')

/**
 * Returns the secret of the account's authenticator app; undefined for an account without an app, and when the key
 * that encrypts the secret was lost.
 */
async function readSecret(
  query: Query,
  secretsKey: Buffer,
  userId: string,
): Promise<string | undefined> {
  const [row] = await query('select sealed_secret from internal.code_apps where user_id = $1', [
    userId,
  ])
  try {
    return row && openSecret(secretsKey, row.sealed_secret)
  } catch (error) {
    if (error instanceof WrongSecretsKeyError) return undefined
    throw error
  }
}
