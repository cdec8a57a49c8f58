import { type Database, rowsAs } from '@local/postgres'
import type { SignInWays } from '#contracts/team.ts'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * Returns how each team member can sign in. Counts only active passkeys that were created for the current host name of
 * the site.
 */
export function readSignInWays(database: Database, host: string): Promise<SignInWays[]> {
  return database.transaction(asServer, async (query) =>
    rowsAs<SignInWays>(
      await query(
        `select user_id as id,
           (select count(*) from internal.passkeys passkey
            where passkey.user_id = account.user_id and passkey.is_active and passkey.rp_id = $1)::int as passkeys,
           internal.has_password(user_id) as "hasPassword", internal.has_code_app(user_id) as "hasCodeApp",
           exists (select from internal.tablet_pins pin where pin.user_id = account.user_id) as "hasPin"
         from public.staff_accounts account order by user_id`,
        [host],
      ),
    ),
  )
}
