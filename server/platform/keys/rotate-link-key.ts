import { queryOf, rowsAs } from '@local/postgres'
import { withLock } from '#server/platform/database/migrations.ts'
import { makeKey, openKeyFiles } from './key-files.ts'
import { mailedLinks, storeKey } from './open-keys.ts'

/** The numbers of pages whose mailed links a key rotation invalidates. */
export type OpenLinks = {
  readonly appointments: number
  /** The number of visit pages of confirmed bookings from today on. */
  readonly upcoming: number
  readonly estimates: number
  /** The number of estimate pages on which the customer can still make a decision. */
  readonly unanswered: number
}

export function countOpenLinks(ownerUrl: string): Promise<OpenLinks> {
  return withLock(ownerUrl, async (client) => {
    const query = queryOf(client)
    const [count] = rowsAs<OpenLinks>(
      await query(`
      select (select count(*) from public.bookings)::integer as appointments,
        (select count(*) from public.bookings where appointment_date >= internal.shop_now()::date
          and status not in ('cancelled', 'not_confirmed', 'no_show'))::integer as upcoming,
        (select count(distinct estimate_id) from public.estimate_revisions where frozen_at is not null)::integer
          as estimates,
        (select count(*) from public.estimates estimate
          where internal.estimate_state(estimate) in ('sent', 'seen'))::integer as unanswered`),
    )
    if (!count) throw new Error('The query for open links returned no row')
    return count
  })
}

/** Replaces the key that signs mailed links. From then on, every process of the shop uses only the new key. */
export async function rotateLinkKey(ownerUrl: string, dataDirectory: string): Promise<void> {
  const key = makeKey()
  await withLock(ownerUrl, async (client) => {
    // The key in the database takes precedence over the key file. If the file could not be written, the next start
    // updates the file.
    await storeKey(queryOf(client), mailedLinks, key)
    openKeyFiles(dataDirectory).write(mailedLinks, key)
  })
}
