import { asServer, type Database, type Query } from '#server/platform/database.ts'

/**
 * How many invoices one process settles at once. Each holds a connection while it asks the processor,
 * and the sandbox behind the SDK needs connections of its own from the same pool of ten.
 */
const maxHeld = 3

/**
 * Longer than the roles' own limits (supabase/bootstrap.sql): whoever is ahead may be waiting for the
 * processor, which the SDK asks up to three times at 20 s each, as may this transaction itself.
 */
const waitForOthers = `set local lock_timeout = '30s'; set local statement_timeout = '35s';
  set local idle_in_transaction_session_timeout = '90s'`

const queues = new WeakMap<Database, { held: number; waiting: (() => void)[] }>()

/**
 * One transaction in which nobody else, in any process, settles or sells this invoice. What `work`
 * writes is kept only if it ends well; what it did at the processor must be safe to repeat.
 */
export async function withInvoiceLock<Result>(
  database: Database,
  invoiceId: string,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  await enter(database)
  try {
    return await database.transaction(asServer, async (query) => {
      await query(waitForOthers)
      await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`invoice:${invoiceId}`])
      return work(query)
    })
  } finally {
    leave(database)
  }
}

async function enter(database: Database): Promise<void> {
  const queue = queues.get(database) ?? { held: 0, waiting: [] }
  queues.set(database, queue)
  if (queue.held >= maxHeld) await new Promise<void>((resolve) => queue.waiting.push(resolve))
  else queue.held += 1
}

/** The place goes to the next in line, or is free. */
function leave(database: Database): void {
  const queue = queues.get(database)
  if (!queue) return
  const next = queue.waiting.shift()
  if (next) next()
  else queue.held -= 1
}
