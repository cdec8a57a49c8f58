import { type Database, retryTransaction } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * Removes the sample week with all that was done to it, and nothing else; without one it does nothing. A scheduled job may
 * write to the same records at that moment: when both wait for each other, the removal starts over.
 */
export async function removeSampleWeek(database: Database): Promise<void> {
  await retryTransaction(() =>
    database.transaction(asServer, (query) =>
      query('select internal.remove_sample_week() as done'),
    ),
  )
}
