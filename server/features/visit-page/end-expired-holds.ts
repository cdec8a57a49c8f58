import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * Marks held bookings (which the customer must confirm by email) as not confirmed after half an hour. The times of
 * these bookings become free after half an hour, even before this job runs. Returns the number of marked bookings.
 */
export async function endExpiredHolds(database: Database): Promise<number> {
  const [row] = await database.transaction(asServer, async (query) =>
    rowsAs<{ ended: number }>(await query('select internal.end_expired_holds() as ended')),
  )
  return row?.ended ?? 0
}
