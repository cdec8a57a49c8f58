import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { hash } from '../admin-sessions.ts'

/**
 * Returns the former hosts of the site at which an account created passkeys. Returns an empty list if one of the
 * passkeys works at the current host or if the account has no passkeys.
 */
export async function formerHostsOfAccount(
  database: Database,
  userId: string,
  host: string,
): Promise<string[]> {
  const rows = await database.transaction(asServer, (query) =>
    query(
      `select distinct rp_id from internal.passkeys passkey
       where user_id = $1 and is_active and rp_id <> $2 and not exists (
         select from internal.passkeys usable
         where usable.user_id = passkey.user_id and usable.is_active and usable.rp_id = $2)
       order by rp_id`,
      [userId, host],
    ),
  )
  return rows.map(({ rp_id: former }) => former)
}

/**
 * Returns the former hosts of the site at which accounts created passkeys. Considers only accounts that have signed in
 * from this known browser and have no passkey for the current host. Other browsers do not receive this list, because it
 * reveals that staff of the shop use passkeys.
 */
export async function formerHostsOfBrowser(
  database: Database,
  knownBrowserToken: string,
  host: string,
): Promise<string[]> {
  const rows = await database.transaction(asServer, (query) =>
    query(
      `select distinct passkey.rp_id from internal.known_browsers known
       join public.staff_accounts account on lower(account.username) = known.username and account.is_active
       join internal.passkeys passkey on passkey.user_id = account.user_id and passkey.is_active
       where known.token_hash = $1 and known.trusted_until > now() and passkey.rp_id <> $2 and not exists (
         select from internal.passkeys usable
         where usable.user_id = passkey.user_id and usable.is_active and usable.rp_id = $2)
       order by passkey.rp_id`,
      [hash(knownBrowserToken), host],
    ),
  )
  return rows.map(({ rp_id: former }) => former)
}
