import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * Stores the opening hours of each bay for all dates that visitors can book; every day one more date becomes bookable.
 * The free times of a date are computed from the stored rows. For a date without rows, the hours are computed at each
 * request, so a late run of this job only makes requests slower.
 */
export async function keepBayHours(database: Database): Promise<void> {
  await database.transaction(asServer, (query) => query('select internal.keep_bay_hours()'))
}
