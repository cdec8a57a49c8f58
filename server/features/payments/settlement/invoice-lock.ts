import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { createSessionLocks, type Database, type SessionLocks } from '@local/postgres'
import { QueueFullError } from '#server/platform/queue/work-queue.ts'

/**
 * The maximum time in milliseconds to wait for the lock of an invoice, shorter than the browser's timeout
 * (web/lib/data/call-api.ts).
 */
const timeoutMs = 20_000

/**
 * The pause in milliseconds before this process requests the lock of an invoice again. The pause is longer than the
 * interval at which other processes request the lock, so that another process can get the lock.
 */
const restMs = 50

type Locks = { readonly acrossProcesses: SessionLocks; readonly tails: Map<string, Promise<void>> }

const locksOf = new WeakMap<pg.Pool, Locks>()

/**
 * Runs `work` while no other call, in any process, settles this invoice or opens a checkout for it. Throws
 * QueueFullError when other calls have the lock for too long. A waiting call occupies no database connection. The lock
 * avoids repeated work and limits an invoice to one checkout. Losing the lock does no harm, because each payment is
 * counted once even without the lock.
 */
export function withInvoiceLock<Result>(
  { pool }: Database,
  invoiceId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { acrossProcesses, tails } = locksFor(pool)
  const before = tails.get(invoiceId) ?? Promise.resolve()
  const result = before.then(() => acrossProcesses(`invoice:${invoiceId}`, timeoutMs, work))
  const rest = () => delay(restMs, undefined, { ref: false })
  const tail = result.then(rest, rest)
  tails.set(invoiceId, tail)
  void tail.finally(() => {
    if (tails.get(invoiceId) === tail) tails.delete(invoiceId)
  })
  return result
}

function locksFor(pool: pg.Pool): Locks {
  const locks = locksOf.get(pool) ?? {
    acrossProcesses: createSessionLocks(pool, () => new QueueFullError()),
    tails: new Map(),
  }
  locksOf.set(pool, locks)
  return locks
}
