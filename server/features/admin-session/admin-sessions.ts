import { createHash, randomBytes } from 'node:crypto'
import { type Database, type Query, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { recordOwnChange } from '#server/features/audit/record-audit.ts'
import type { StaffRole } from '#contracts/staff-accounts.ts'
import type { Admin } from './gateway/auth-gateway.ts'

/** A browser that is signed in to the dashboard. */
export type AdminSession = Admin & {
  /** The id of the dashboard session in lists of sessions; the id grants no access. */
  readonly id: string
  /** The display name of the team member. */
  readonly name: string
  readonly role: StaffRole
  readonly endsAtMs: number
  /**
   * Whether the team member confirmed their identity with a password or passkey in the last five minutes (step-up
   * authentication).
   */
  readonly isConfirmed: boolean
  /** Whether a PIN opened the session at a shared tablet; `role` is then technician. */
  readonly isAtTablet: boolean
  /**
   * Whether the team member must first set up an authenticator app; until then, the session has no other rights
   * (docs/product.md 6.11).
   */
  readonly needsCodeApp: boolean
}

/** The browser and its IP address, as the list of sessions shows them. */
export type SessionOrigin = {
  readonly device: string
  /**
   * The IP address from which the browser signed in, shortened to the network for IPv6; null when the server does not
   * know the address.
   */
  readonly networkAddress: string | null
}

/**
 * The maximum lifetime of a dashboard session, however often the browser uses the session. The database refuses a
 * longer lifetime.
 */
export const adminSessionSeconds = 30 * 24 * 60 * 60

/**
 * The maximum number of data sessions (tokens for the REST API) of one signed-in browser. The tabs of a browser
 * normally share one data session. Opening a further data session ends the oldest one.
 */
const maxDataSessions = 20

/**
 * Signs a browser in and returns the token for its session cookie; the database stores only a hash of the token.
 * Returns undefined when the data session (tokens for the REST API) has ended in the meantime, for example because the
 * password changed.
 */
export function openAdminSession(
  database: Database,
  admin: Admin,
  dataSessionId: string,
  { device, networkAddress }: SessionOrigin,
): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url')
  return unlessEnded(async () => {
    await database.transaction(asServer, async (query) => {
      await query(
        `insert into internal.admin_sessions (token_hash, user_id, username, device, network_address)
         values ($1, $2, $3, $4, $5::text::inet)`,
        [hash(token), admin.userId, admin.username, device, networkAddress],
      )
      await insertDataSession(query, token, dataSessionId)
    })
    return token
  })
}

/**
 * Returns the dashboard session of a session cookie if the session is open and its user may sign in, according to the
 * database's clock.
 */
export function findAdminSession(
  database: Database,
  token: string,
): Promise<AdminSession | undefined> {
  return database.transaction(asServer, async (query) => {
    const [row] = rowsAs<{
      id: string
      user_id: string
      username: string
      name: string
      role: StaffRole
      ends_at_ms: number
      is_confirmed: boolean
      is_at_tablet: boolean
      needs_code_app: boolean
    }>(
      await query(
        `select cookie.id, user_id, cookie.username,
           case when tablet_id is null then current_role_name else 'technician' end as role,
           tablet_id is not null as is_at_tablet, tablet_id is null and needs_code_app as needs_code_app, name,
           coalesce(confirmed_until > now(), false) as is_confirmed,
           (extract(epoch from ends_at) * 1000)::float8 as ends_at_ms
         from internal.admin_sessions cookie join public.staff_accounts account using (user_id),
           internal.staff_role_of(user_id, now()) current_role_name,
           internal.session_ends_at(expires_at, last_used_at) ends_at
         where token_hash = $1 and ends_at > now() and current_role_name is not null`,
        [hash(token)],
        'find admin session',
      ),
    )
    if (!row) return undefined
    const { user_id: userId, ends_at_ms: endsAtMs, ...rest } = row
    const { is_confirmed: isConfirmed, is_at_tablet: isAtTablet, ...account } = rest
    const { needs_code_app: needsCodeApp, ...named } = account
    return { ...named, userId, endsAtMs, isConfirmed, isAtTablet, needsCodeApp }
  })
}

/**
 * Records that a team member used the session, and extends the session by twelve hours, up to thirty days in total.
 * Does not reopen a session that has ended. Does not extend the session of a shared tablet, because only touches of its
 * screen extend this session.
 */
export async function recordUse(database: Database, token: string): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(
      `update internal.admin_sessions set last_used_at = now()
       where token_hash = $1 and tablet_id is null and last_used_at < now() - interval '1 minute'
         and internal.session_ends_at(expires_at, last_used_at) > now()`,
      [hash(token)],
    ),
  )
}

/**
 * Links another data session (tokens for the REST API) to the dashboard session of the cookie, so that both sessions
 * end together. Returns undefined when either session has already ended. The server must link a data session before it
 * returns the tokens to a client.
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

/**
 * Records that the team member confirmed the session with a passkey or a password (step-up authentication). Returns
 * the time, in milliseconds since 1970, at which the confirmation expires, five minutes later. Returns undefined
 * when the session has ended in the meantime.
 */
export function confirmAdminSession(
  database: Database,
  token: string,
  confirmedWith: 'passkey' | 'password',
): Promise<number | undefined> {
  return database.transaction(asServer, async (query) => {
    const [row] = rowsAs<{ until_ms: number }>(
      await query(
        `update internal.admin_sessions
         set last_used_at = now(), confirmed_until = now() + interval '5 minutes', confirmed_with = $2
         where token_hash = $1 and internal.session_ends_at(expires_at, last_used_at) > now()
         returning (extract(epoch from confirmed_until) * 1000)::float8 as until_ms`,
        [hash(token), confirmedWith],
        'confirm admin session',
      ),
    )
    return row?.until_ms
  })
}

/**
 * Signs the browser out and ends its data sessions (tokens for the REST API). Returns the user, or undefined when no
 * dashboard session has the token of the cookie.
 */
export function closeAdminSession(database: Database, token: string): Promise<Admin | undefined> {
  return database.transaction(asServer, async (query) => {
    const [row] = await query(
      'delete from internal.admin_sessions where token_hash = $1 returning user_id, username',
      [hash(token)],
    )
    return row && { userId: row.user_id, username: row.username }
  })
}

/** Signs out every browser of an admin except the browser whose session cookie contains `token`. */
export async function closeOtherSessions(
  database: Database,
  userId: string,
  token: string,
): Promise<void> {
  await database.transaction(asServer, async (query) => {
    const ended = await query(
      'delete from internal.admin_sessions where user_id = $1 and token_hash <> $2 returning 1',
      [userId, hash(token)],
    )
    if (ended.length === 0) return
    const detail = ended.length === 1 ? '1 other session' : `${ended.length} other sessions`
    await recordOwnChange(query, 'session_ended', { userId, detail })
  })
}

/** Signs out every browser of an admin. */
export async function closeAdminSessionsOf(database: Database, userId: string): Promise<void> {
  await database.transaction(asServer, (query) =>
    query('delete from internal.admin_sessions where user_id = $1', [userId]),
  )
}

/**
 * Deletes the dashboard sessions that have ended, and the records of tablet sessions that ended more than a day ago.
 */
export async function sweepAdminSessions(database: Database): Promise<void> {
  await database.transaction(asServer, async (query) => {
    await query(
      'delete from internal.admin_sessions where internal.session_ends_at(expires_at, last_used_at) <= now()',
    )
    // An access token is valid for a few minutes, so the record of a tablet session is no longer needed a day after its
    // end.
    await query(
      `delete from internal.tablet_data_sessions where ends_at < now() - interval '1 day'`,
    )
  })
}

/** Links a data session (tokens for the REST API) to the dashboard session of a cookie. */
export async function insertDataSession(
  query: Query,
  token: string,
  dataSessionId: string,
): Promise<void> {
  await query(
    'insert into internal.admin_data_sessions (data_session_id, token_hash) values ($1, $2)',
    [dataSessionId, hash(token)],
  )
}

/**
 * Runs `work`, which stores or links a session. Returns undefined if the database refuses, because the account or a
 * linked session no longer exists.
 */
export async function unlessEnded<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work()
  } catch (error) {
    const isAccountDeleted = error instanceof Error && 'code' in error && error.code === '23503'
    if (isAccountDeleted) return undefined
    throw error
  }
}

/** Returns the hash under which the database stores the token of a session cookie. */
export function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
