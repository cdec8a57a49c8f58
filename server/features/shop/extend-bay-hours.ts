import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * Stores the opening hours of each bay for all dates that visitors can book. The job runs regularly, because one more
 * date becomes bookable every day. Free times are computed from the stored hours. For a date without stored hours, each
 * request computes the hours itself, which takes longer.
 */
export async function keepBayHours(database: Database): Promise<void> {
  await database.transaction(asServer, (query) => query('select internal.keep_bay_hours()'))
}
