import { randomBytes } from 'node:crypto'
import { type Database, rowsAs } from '@local/postgres'
import type { Tablet, TabletMember } from '#contracts/tablets.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { hash } from '../admin-sessions.ts'

/** A browser that is or was a shared tablet. */
export type FoundTablet = {
  readonly id: string
  readonly name: string
  readonly state: 'revoked' | 'locked' | 'ready'
}

/**
 * Registers a browser as a shared tablet and returns the token for its cookie. If the browser already was a shared
 * tablet, its earlier registration is revoked.
 */
export function enrollTablet(
  database: Database,
  { name, enrolledBy }: { readonly name: string; readonly enrolledBy: string },
  formerToken: string,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  return database.transaction(asServer, async (query) => {
    await query(
      'update internal.tablets set revoked_at = now() where token_hash = $1 and revoked_at is null',
      [hash(formerToken)],
    )
    await query(
      'insert into internal.tablets (token_hash, name, enrolled_by) values ($1, $2, $3)',
      [hash(token), name, enrolledBy],
    )
    return token
  })
}

export function findTablet(database: Database, token: string): Promise<FoundTablet | undefined> {
  return database.transaction(asServer, async (query) => {
    const [row] = rowsAs<FoundTablet>(
      await query(
        `select id, name, case when revoked_at is not null then 'revoked' when locked_at is not null then 'locked'
           else 'ready' end as state
         from internal.tablets where token_hash = $1`,
        [hash(token)],
        'find tablet',
      ),
    )
    return row
  })
}

/** The tablets that are not revoked, in the order of their registration. */
export function listTablets(database: Database): Promise<Tablet[]> {
  return database.transaction(asServer, async (query) =>
    rowsAs<Tablet>(
      await query(
        `select tablet.id, tablet.name, enroller.name as "enrolledByName",
           to_json(enrolled_at) #>> '{}' as "enrolledAt", to_json(last_used_at) #>> '{}' as "lastUsedAt",
           (select name from public.staff_accounts where user_id = last_used_by) as "lastUsedByName",
           locked_at is not null as "isLocked"
         from internal.tablets tablet join public.staff_accounts enroller on enroller.user_id = enrolled_by
         where revoked_at is null order by enrolled_at, tablet.id`,
      ),
    ),
  )
}

/** Revokes a tablet permanently. The database ends the sessions at the tablet in the same transaction. */
export async function revokeTablet(
  database: Database,
  id: string,
  revokedBy: string,
): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(
      'update internal.tablets set revoked_at = now(), revoked_by = $2 where id = $1 and revoked_at is null',
      [id, revokedBy],
    ),
  )
}

/**
 * Unlocks a tablet after an advisor or owner signed in at the tablet, and deletes the records of wrong PINs at this
 * tablet.
 */
export async function unlockTablet(database: Database, token: string): Promise<void> {
  await database.transaction(asServer, async (query) => {
    const [tablet] = await query(
      `update internal.tablets set locked_at = null
       where token_hash = $1 and revoked_at is null and locked_at is not null returning id`,
      [hash(token)],
    )
    if (tablet)
      await query('delete from internal.tablet_attempts where tablet_id = $1', [tablet.id])
  })
}

export function listMembers(database: Database): Promise<TabletMember[]> {
  return database.transaction(asServer, async (query) =>
    rowsAs<TabletMember>(
      await query(
        'select id, name, has_pin as "hasPin", jobs from internal.list_tablet_members()',
        [],
        'list members of a tablet',
      ),
    ),
  )
}
