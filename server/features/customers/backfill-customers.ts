import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** While the tables grow from nothing, the planner hears of it after so many batches. */
const batchesBeforeAnalyze: ReadonlySet<number> = new Set([5, 25, 125, 500])

/**
 * Gives the appointments and quote requests of before people were known their person and car, a hundred a
 * transaction, until none is left or `signal` ends it; whoever is interrupted begins where it stopped. Returns
 * how many were linked. Once all are, it costs one look at an empty index.
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
