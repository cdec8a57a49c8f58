import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { hash } from '../admin-sessions.ts'

/**
 * Returns the former hosts of the site at which a person made the passkeys. The list is empty if one of the passkeys
 * works at this host, and for a person without passkeys.
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
 * Returns the former hosts for the people who have signed in with a known browser. No other browser receives the hosts,
 * because the hosts show that the shop has passkeys.
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
