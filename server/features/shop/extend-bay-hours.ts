import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * Adds the precomputed bay hours from which free times are read, for all dates that visitors can book; every day one
 * more date becomes bookable. The hours of a date without rows are computed for each request, so a late run of the job
 * only makes requests slower.
 */
export async function keepBayHours(database: Database): Promise<void> {
  await database.transaction(asServer, (query) => query('select internal.keep_bay_hours()'))
}
