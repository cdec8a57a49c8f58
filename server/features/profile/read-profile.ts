import type { Profile } from '#contracts/profile.ts'
import type { AdminSession } from '#server/features/admin-session/admin-sessions.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { type Database, rowsAs } from '@local/postgres'

/** Reads the staff account of a dashboard session, and all dashboard sessions of that account. */
export function readProfile(database: Database, current: AdminSession): Promise<Profile> {
  return database.transaction(asServer, async (query) => {
    const [account] = rowsAs<Pick<Profile, 'name' | 'email' | 'since' | 'pinSince'>>(
      await query(
        `select name, email, to_json(created_at) #>> '{}' as since,
           (select to_json(set_at) #>> '{}' from internal.tablet_pins where user_id = $1) as "pinSince"
         from public.staff_accounts where user_id = $1`,
        [current.userId],
      ),
    )
    if (!account) throw new Error('The user of the session has no staff account')
    const sessions = rowsAs<Profile['sessions'][number]>(
      await query(
        `select id, device, abbrev(network_address) as "networkAddress", id = $2 as "isCurrent",
           to_json(created_at) #>> '{}' as "signedInAt",
           to_json(last_used_at) #>> '{}' as "lastUsedAt"
         from internal.admin_sessions
         where user_id = $1 and internal.session_ends_at(expires_at, last_used_at) > now()
         order by id = $2 desc, last_used_at desc`,
        [current.userId, current.id],
      ),
    )
    return { username: current.username, role: current.role, ...account, sessions }
  })
}
