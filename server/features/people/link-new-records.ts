import { asServer, type Database } from '#server/platform/database/database.ts'

/** After a failure: while the database is away, one line in the log for each attempt is enough. */
const pauseMs = 5_000

/**
 * A job that gives the bookings which visitors made a moment ago their customer and their vehicle
 * (docs/product.md 16.3), ten in one run, twenty a second. A shop takes 60 a day (docs/product.md 10.3); in a rush the
 * links follow as fast as that, so that they do not slow bookings down. A run after a restart finds the bookings that a
 * killed process left. Two processes link no booking twice: each skips the rows that the other has locked.
 */
export function createNewRecordLinker(database: Database): () => Promise<void> {
  let pausedUntil = 0
  return async () => {
    if (performance.now() < pausedUntil) return
    try {
      await database.transaction(asServer, (query) =>
        query('select internal.backfill_customers(10) as linked'),
      )
    } catch (error) {
      pausedUntil = performance.now() + pauseMs
      throw error
    }
  }
}
