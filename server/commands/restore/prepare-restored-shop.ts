import { Client } from 'pg'
import type { RecoveredDatabase } from '#server/platform/backup/restore/restore-from-target.ts'
import { renewProcessKeys } from '#server/platform/keys/open-keys.ts'

/**
 * Sessions and one-time codes of the time before the restore. A restored copy may run beside the shop that it copies,
 * or on the machine of somebody who found the backup.
 */
const endedTables = [
  'auth.refresh_tokens',
  'auth.sessions',
  'internal.admin_data_sessions',
  'internal.admin_sessions',
  'internal.known_browsers',
  'internal.sign_in_codes',
]

/** Ends all sessions of a recovered database, and replaces the keys that sign them. */
export async function prepareRestoredShop(recovered: RecoveredDatabase): Promise<void> {
  const { ownerUrl, dataDirectory } = recovered
  const client = new Client({ connectionString: ownerUrl, application_name: 'restore' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(`truncate ${endedTables.join(', ')}`)
  } finally {
    await client.end()
  }
  await renewProcessKeys({ ownerUrl, dataDirectory, isShared: false })
}
