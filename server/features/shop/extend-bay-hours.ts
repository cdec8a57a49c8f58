import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * Keeps the rows from which free times are answered ahead of the dates that visitors can book: every day one more can be.
 * A date without rows is computed at each question, so that a late run costs time and nothing else.
 */
export async function keepBayHours(database: Database): Promise<void> {
  await database.transaction(asServer, (query) => query('select internal.keep_bay_hours()'))
}
