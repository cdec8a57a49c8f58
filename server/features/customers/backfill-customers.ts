import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * The numbers of transactions, each with a hundred linked rows, after which the job updates the statistics of the query
 * planner. The customer and vehicle tables start empty and grow, so earlier statistics would be misleading.
 */
const batchesBeforeAnalyze: ReadonlySet<number> = new Set([5, 25, 125, 500])

/**
 * Links bookings and quote requests from before the introduction of customer records to customers and vehicles. Links a
 * hundred rows per transaction, until none is left or `signal` aborts. After an interruption, the next run continues
 * with the remaining rows. When no rows are left, a run costs only one lookup in an empty index. Returns the number of
 * linked rows.
 */
export async function backfillCustomers(database: Database, signal: AbortSignal): Promise<number> {
  let total = 0
  for (let batch = 1; !signal.aborted; batch += 1) {
    const linked = await linkSome(database)
    if (linked === 0) break
    total += linked
    if (batchesBeforeAnalyze.has(batch)) await analyzeCustomers(database)
  }
  return total
}

async function linkSome(database: Database): Promise<number> {
  const [row] = await database.transaction(asServer, async (query) =>
    rowsAs<{ linked: number }>(await query('select internal.backfill_customers() as linked')),
  )
  return row?.linked ?? 0
}

function analyzeCustomers(database: Database): Promise<unknown> {
  return database.transaction(asServer, (query) => query('select internal.analyze_customers()'))
}
