import { randomBytes } from 'node:crypto'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { hash, insertDataSession, unlessEnded } from '../admin-sessions.ts'
import type { Admin } from '../gateway/auth-gateway.ts'
import type { FoundTablet } from './tablets.ts'

/**
 * The time in seconds for which a touch extends a session at a tablet. The page locks after two minutes without a
 * touch. The session lasts ten seconds longer, because the page reports touches at most every five seconds and each
 * report takes time to arrive.
 */
const secondsAfterTouch = 130

/**
 * Opens the session of a team member at a tablet and returns the token for the session cookie. Returns undefined
 * when the tablet was locked or revoked, or the account switched off, in the meantime.
 */
export function openTabletSession(
  database: Database,
  { id: tabletId, name }: FoundTablet,
  admin: Admin,
  dataSessionId: string,
): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url')
  return unlessEnded(() =>
    database.transaction(asServer, async (query) => {
      const [tablet] = await query(
        `update internal.tablets set last_used_at = now(), last_used_by = $2
         where id = $1 and revoked_at is null and locked_at is null returning id`,
        [tabletId, admin.userId],
      )
      if (!tablet) return undefined
      await query(
        `insert into internal.admin_sessions (token_hash, user_id, username, device, tablet_id, expires_at)
         values ($1, $2, $3, $4, $5, now() + interval '${secondsAfterTouch} seconds')`,
        [hash(token), admin.userId, admin.username, name, tabletId],
      )
      await insertDataSession(query, token, dataSessionId)
      return token
    }),
  )
}

/** Records a touch of the tablet's screen, which extends the session. Does not reopen a session that has ended. */
export async function recordTouch(database: Database, token: string): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(
      `update internal.admin_sessions set last_used_at = now(),
         expires_at = least(created_at + interval '30 days', now() + interval '${secondsAfterTouch} seconds')
       where token_hash = $1 and tablet_id is not null and expires_at > now()`,
      [hash(token)],
    ),
  )
}
