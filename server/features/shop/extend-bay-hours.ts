import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * Adds the rows from which free times are read for the dates that visitors can book; every day one more date becomes
 * bookable. A date without rows is computed for each request, so a late run costs only time.
 */
export async function keepBayHours(database: Database): Promise<void> {
  await database.transaction(asServer, (query) => query('select internal.keep_bay_hours()'))
}
