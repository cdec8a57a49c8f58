import { join } from 'node:path'
import { Client } from 'pg'
import type { RecoveredDatabase } from '#server/platform/backup/restore/prepare-recovered.ts'
import { applyLatestFacts } from './apply-latest-facts.ts'
import { repeatErasures } from './repeat-erasures.ts'
import { renewProcessKeys } from '#server/platform/keys/open-keys.ts'

/**
 * The tables of sessions and one-time codes, which a restore empties: the restored copy may run beside the shop that it
 * copies, or on the machine of someone who found the backup.
 */
const endedTables = [
  'auth.refresh_tokens',
  'auth.sessions',
  'internal.admin_data_sessions',
  'internal.admin_sessions',
  'internal.calendar_feed',
  'internal.known_browsers',
  'internal.sign_in_codes',
]

/**
 * Ends all sessions of a recovered database, replaces the keys that sign them, and pauses its emails: the copied shop
 * may still run, and the copy does not contain later cancellations. Applies the later changes of admins and numbers,
 * repeats later erasures of customers, and returns the number of erasures that the database refused.
 */
export async function prepareRestoredShop(recovered: RecoveredDatabase): Promise<number> {
  const { ownerUrl, dataDirectory, recoveredMs, removals, facts } = recovered
  const client = new Client({ connectionString: ownerUrl, application_name: 'restore' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(`truncate ${endedTables.join(', ')}`)
    await client.query(
      `insert into internal.restored_shop (recovered_until) values (to_timestamp($1 / 1000.0))
       on conflict (id) do update set recovered_until = excluded.recovered_until, restored_at = now(),
         resumed_at = null, resumed_by_name = null`,
      [recoveredMs],
    )
    await applyLatestFacts(client, facts, recoveredMs)
    const refused = await repeatErasures(client, removals, join(dataDirectory, 'outbox'))
    await renewProcessKeys({ ownerUrl, dataDirectory, isShared: false })
    return refused
  } finally {
    await client.end()
  }
}
