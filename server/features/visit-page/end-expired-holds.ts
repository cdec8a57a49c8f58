import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * Marks the bookings whose half hour passed without a click as not confirmed; their slots are free from the
 * minute it passed, with or without this. Returns how many.
 */
export async function endExpiredHolds(database: Database): Promise<number> {
  const [row] = await database.transaction(asServer, async (query) =>
    rowsAs<{ ended: number }>(await query('select internal.end_expired_holds() as ended')),
  )
  return row?.ended ?? 0
}
