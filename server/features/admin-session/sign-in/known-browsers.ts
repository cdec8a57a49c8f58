import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * The time for which a browser stays known after a sign-in. Sessions last up to a month, so a browser that is used
 * regularly signs in again before this time ends.
 */
export const knownBrowserSeconds = 180 * 24 * 60 * 60

/**
 * The number of wrong passwords after which a browser, or anybody with a copy of its cookie, is treated as an
 * unknown browser again.
 */
const maxAttempts = 10

/** The maximum number of known browsers per admin. Only a program that signs in repeatedly reaches this number. */
const maxBrowsers = 20

/**
 * Makes the browser with the cookie token `formerToken` a known browser of `username` after a sign-in. Returns a new
 * token for the browser and resets its number of attempts. If other admins have signed in from the same browser, the
 * browser stays known for them under the new token.
 */
export async function trustBrowser(
  database: Database,
  username: string,
  formerToken: string | undefined,
  nowMs: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const name = username.toLowerCase()
  await database.transaction(asServer, async (query) => {
    await query('update internal.known_browsers set token_hash = $2 where token_hash = $1', [
      hash(formerToken ?? ''),
      hash(token),
    ])
    await query(
      `insert into internal.known_browsers (token_hash, username, attempts_left, trusted_at, trusted_until)
       values ($1, $2, ${maxAttempts}, to_timestamp($3), to_timestamp($4))
       on conflict (token_hash, username) do update set attempts_left = excluded.attempts_left,
         trusted_at = excluded.trusted_at, trusted_until = excluded.trusted_until`,
      [hash(token), name, nowMs / 1000, nowMs / 1000 + knownBrowserSeconds],
    )
    await query(
      `delete from internal.known_browsers where username = $1 and token_hash in (
         select token_hash from internal.known_browsers where username = $1
         order by trusted_at desc offset ${maxBrowsers})`,
      [name],
    )
  })
  return token
}

/**
 * Uses up one password attempt of a known browser (with an earlier sign-in). Returns false for an unknown browser and
 * for a browser without attempts left.
 */
export function spendAttempt(
  database: Database,
  token: string,
  username: string,
  nowMs: number,
): Promise<boolean> {
  return database.transaction(asServer, async (query) => {
    const rows = await query(
      `update internal.known_browsers set attempts_left = attempts_left - 1
       where token_hash = $1 and username = $2 and attempts_left > 0 and trusted_until > to_timestamp($3)
       returning 1`,
      [hash(token), username.toLowerCase(), nowMs / 1000],
    )
    return rows.length > 0
  })
}

/**
 * Returns a password attempt to a known browser (with an earlier sign-in) when the server could not check the password.
 */
export async function returnAttempt(
  database: Database,
  token: string,
  username: string,
): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(
      `update internal.known_browsers set attempts_left = least(attempts_left + 1, ${maxAttempts})
       where token_hash = $1 and username = $2`,
      [hash(token), username.toLowerCase()],
    ),
  )
}

/** Makes every known browser of an admin (each with an earlier sign-in) unknown again. */
export async function forgetBrowsersOf(database: Database, username: string): Promise<void> {
  await database.transaction(asServer, (query) =>
    query('delete from internal.known_browsers where username = $1', [username.toLowerCase()]),
  )
}

export async function sweepKnownBrowsers(database: Database, nowMs: number): Promise<void> {
  await database.transaction(asServer, (query) =>
    query('delete from internal.known_browsers where trusted_until <= to_timestamp($1)', [
      nowMs / 1000,
    ]),
  )
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
