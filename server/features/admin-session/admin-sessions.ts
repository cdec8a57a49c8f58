import { createHash, randomBytes } from 'node:crypto'
import { asServer, type Database } from '#server/platform/database.ts'
import type { Admin } from './auth-gateway.ts'

/** A browser that is signed in to the dashboard. */
export type AdminSession = Admin & { readonly expiresAtMs: number }

/** Opening hours are long and the counter's tablet is shared: two weeks, whatever is done meanwhile. */
export const adminSessionSeconds = 14 * 24 * 60 * 60

/** How many sessions of the data service one browser's row remembers, newest first. */
const maxDataSessions = 20

/** Signs a browser in; returns the token for its cookie, which is stored nowhere. */
export async function openAdminSession(
  database: Database,
  admin: Admin,
  dataSessionId: string,
  nowMs: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await database.transaction(asServer, (query) =>
    query(
      `insert into internal.admin_sessions (token_hash, user_id, username, data_sessions, created_at, expires_at)
       values ($1, $2, $3, $4, to_timestamp($5), to_timestamp($6))`,
      [
        hash(token),
        admin.userId,
        admin.username,
        [dataSessionId],
        nowMs / 1000,
        nowMs / 1000 + adminSessionSeconds,
      ],
    ),
  )
  return token
}

export function findAdminSession(
  database: Database,
  token: string,
  nowMs: number,
): Promise<AdminSession | undefined> {
  return database.transaction(asServer, async (query) => {
    const [row] = await query<{ user_id: string; username: string; expires_at_ms: number }>(
      `select user_id, username, (extract(epoch from expires_at) * 1000)::float8 as expires_at_ms
       from internal.admin_sessions where token_hash = $1 and expires_at > to_timestamp($2)`,
      [hash(token), nowMs / 1000],
      'find admin session',
    )
    return row && { userId: row.user_id, username: row.username, expiresAtMs: row.expires_at_ms }
  })
}

/** Remembers a further session of the data service, to be ended with this one. */
export async function rememberDataSession(
  database: Database,
  token: string,
  dataSessionId: string,
): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(
      `update internal.admin_sessions
       set data_sessions = (array_prepend($2::uuid, data_sessions))[1:${maxDataSessions}]
       where token_hash = $1`,
      [hash(token), dataSessionId],
    ),
  )
}

/** Signs the browser out; returns what it had been handed, or undefined when it was not signed in. */
export function closeAdminSession(
  database: Database,
  token: string,
): Promise<{ admin: Admin; dataSessions: string[] } | undefined> {
  return database.transaction(asServer, async (query) => {
    const [row] = await query<{ user_id: string; username: string; data_sessions: string[] }>(
      `delete from internal.admin_sessions where token_hash = $1
       returning user_id, username, data_sessions`,
      [hash(token)],
    )
    return (
      row && {
        admin: { userId: row.user_id, username: row.username },
        dataSessions: row.data_sessions,
      }
    )
  })
}

/** Signs out every browser of an admin. */
export async function closeAdminSessionsOf(database: Database, userId: string): Promise<void> {
  await database.transaction(asServer, (query) =>
    query('delete from internal.admin_sessions where user_id = $1', [userId]),
  )
}

export async function sweepAdminSessions(database: Database, nowMs: number): Promise<void> {
  await database.transaction(asServer, (query) =>
    query('delete from internal.admin_sessions where expires_at <= to_timestamp($1)', [
      nowMs / 1000,
    ]),
  )
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
