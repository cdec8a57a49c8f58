import { asServer, type Database } from '#server/platform/database/database.ts'

/** Removes the sample week with all that was done to it, and nothing else; without one it does nothing. */
export async function removeSampleWeek(database: Database): Promise<void> {
  await database.transaction(asServer, (query) =>
    query('select internal.remove_sample_week() as done'),
  )
}
