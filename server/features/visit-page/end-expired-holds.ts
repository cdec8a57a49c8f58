import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * Marks the held bookings as not confirmed whose half hour has passed without a click. Their slots are free from that
 * minute on, even before this runs. Returns the number of bookings.
 */
export async function endExpiredHolds(database: Database): Promise<number> {
  const [row] = await database.transaction(asServer, async (query) =>
    rowsAs<{ ended: number }>(await query('select internal.end_expired_holds() as ended')),
  )
  return row?.ended ?? 0
}
