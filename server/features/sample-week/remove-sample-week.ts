import { type Database, retryTransaction } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * Removes the sample week and all later changes to its records, but no other records. Does nothing if the shop has no
 * sample week. The transaction is retried after a deadlock with a scheduled job that writes to the same records.
 */
export async function removeSampleWeek(database: Database): Promise<void> {
  await retryTransaction(() =>
    database.transaction(asServer, (query) =>
      query('select internal.remove_sample_week() as done'),
    ),
  )
}
