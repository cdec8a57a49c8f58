import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** The pause in milliseconds after a failure, so that an outage adds at most one line per pause to the log. */
const pauseMs = 5_000

/**
 * The maximum number of bookings that one run links. A run delays simultaneous new bookings by about a millisecond for
 * each linked booking.
 */
const bookingsPerRun = 4

/**
 * A job that links new bookings of visitors to a customer and a vehicle (docs/product.md 16.3). The job links at most
 * eight bookings per second, far more than the 60 that a shop receives per day (docs/product.md 10.3). A run after a
 * restart also links the bookings that an interrupted process did not link. Two processes never link the same booking,
 * because each process skips the rows that another process has locked. If the job cannot link a booking, the job
 * reports this booking once and then skips it.
 */
export function createNewRecordLinker(database: Database): () => Promise<void> {
  let pausedUntil = 0
  const ignoredIds: string[] = []
  return async () => {
    if (performance.now() < pausedUntil) return
    const failed = await linkNewBookings(database, ignoredIds).catch((error: unknown) => {
      pausedUntil = performance.now() + pauseMs
      throw error
    })
    if (failed.length === 0) return
    ignoredIds.push(...failed.map(({ booking_id }) => booking_id))
    const messages = failed.map(({ booking_id, problem }) => `${booking_id}: ${problem}`)
    throw new Error(`These appointments could not be linked to a customer: ${messages.join('; ')}`)
  }
}

type Failed = { readonly booking_id: string; readonly problem: string }

function linkNewBookings(database: Database, ignoredIds: readonly string[]): Promise<Failed[]> {
  return database.transaction(asServer, async (query) =>
    rowsAs<Failed>(
      await query(
        'select booking_id, problem from internal.link_new_bookings($1, $2) where problem is not null',
        [bookingsPerRun, ignoredIds],
      ),
    ),
  )
}
