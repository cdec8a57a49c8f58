import { createHash, randomBytes } from 'node:crypto'
import { type Database, type Query, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { StaffRole } from '#contracts/staff-accounts.ts'
import type { Admin } from './gateway/auth-gateway.ts'

/** A browser that is signed in to the dashboard. */
export type AdminSession = Admin & {
  readonly role: StaffRole
  readonly expiresAtMs: number
  /** Whether the password was confirmed in the last five minutes. */
  readonly isConfirmed: boolean
}

/**
 * A session ends after two weeks even when it is in use, because staff share the tablet in the shop all day.
 */
export const adminSessionSeconds = 14 * 24 * 60 * 60

/**
 * The maximum number of data sessions of one signed-in browser, whose tabs normally share one. A further data session
 * ends the oldest.
 */
const maxDataSessions = 20

/**
 * Signs a browser in and returns the token for its cookie; the database stores only a hash. Returns undefined when
 * the data session has ended in the meantime, for example by a new password.
 */
export function openAdminSession(
  database: Database,
  admin: Admin,
  dataSessionId: string,
  nowMs: number,
): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url')
  return unlessEnded(async () => {
    await database.transaction(asServer, async (query) => {
      await query(
        `insert into internal.admin_sessions (token_hash, user_id, username, created_at, expires_at)
         values ($1, $2, $3, to_timestamp($4), to_timestamp($5))`,
        [
          hash(token),
          admin.userId,
          admin.username,
          nowMs / 1000,
          nowMs / 1000 + adminSessionSeconds,
        ],
      )
      await insertDataSession(query, token, dataSessionId)
    })
    return token
  })
}

/** Returns the user of the cookie's token while that user may sign in. */
export function findAdminSession(
  database: Database,
  token: string,
  nowMs: number,
): Promise<AdminSession | undefined> {
  return database.transaction(asServer, async (query) => {
    const [row] = rowsAs<{
      user_id: string
      username: string
      role: StaffRole
      expires_at_ms: number
      is_confirmed: boolean
    }>(
      await query(
        `select user_id, username, role, (extract(epoch from expires_at) * 1000)::float8 as expires_at_ms,
         coalesce(confirmed_until > to_timestamp($2), false) as is_confirmed
       from internal.admin_sessions, internal.staff_role_of(user_id, to_timestamp($2)) role
       where token_hash = $1 and expires_at > to_timestamp($2) and role is not null`,
        [hash(token), nowMs / 1000],
        'find admin session',
      ),
    )
    return (
      row && {
        userId: row.user_id,
        username: row.username,
        role: row.role,
        expiresAtMs: row.expires_at_ms,
        isConfirmed: row.is_confirmed,
      }
    )
  })
}

/**
 * Links another session of the data service to the cookie, so that the end of the cookie's session ends it, too.
 * Returns undefined when either has already ended. Only a linked session may be returned to a client.
 */
export function linkDataSession(
  database: Database,
  token: string,
  dataSessionId: string,
): Promise<true | undefined> {
  return unlessEnded<true>(async () => {
    await database.transaction(asServer, async (query) => {
      await insertDataSession(query, token, dataSessionId)
      await query(
        `delete from internal.admin_data_sessions where data_session_id in (
           select data_session_id from internal.admin_data_sessions where token_hash = $1
           order by data_session_id = $2 desc, created_at desc offset ${maxDataSessions})`,
        [hash(token), dataSessionId],
      )
    })
    return true
  })
}

/** The time for which a confirmed password allows commands that give money back. */
const confirmationMs = 5 * 60 * 1000

/**
 * Records that the password of a session was confirmed; returns the time, in milliseconds since 1970, until which the
 * confirmation counts.
 */
export async function confirmAdminSession(
  database: Database,
  token: string,
  nowMs: number,
): Promise<number> {
  const until = nowMs + confirmationMs
  await database.transaction(asServer, (query) =>
    query(
      'update internal.admin_sessions set confirmed_until = to_timestamp($2) where token_hash = $1',
      [hash(token), until / 1000],
    ),
  )
  return until
}

/** Signs the browser out and ends its data sessions. Returns the user, if the cookie had one. */
export function closeAdminSession(database: Database, token: string): Promise<Admin | undefined> {
  return database.transaction(asServer, async (query) => {
    const [row] = await query(
      'delete from internal.admin_sessions where token_hash = $1 returning user_id, username',
      [hash(token)],
    )
    return row && { userId: row.user_id, username: row.username }
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

async function insertDataSession(
  query: Query,
  token: string,
  dataSessionId: string,
): Promise<void> {
  await query(
    'insert into internal.admin_data_sessions (data_session_id, token_hash) values ($1, $2)',
    [dataSessionId, hash(token)],
  )
}

/** The database refuses to link an ended session; that is an expected result, not a failure. */
async function unlessEnded<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work()
  } catch (error) {
    const isAccountDeleted = error instanceof Error && 'code' in error && error.code === '23503'
    if (isAccountDeleted) return undefined
    throw error
  }
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
