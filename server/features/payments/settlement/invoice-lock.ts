import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { createSessionLocks, type Database, type SessionLocks } from '@local/postgres'
import { QueueFullError } from '#server/platform/queue/work-queue.ts'

/** Less than the browser's timeout (web/lib/data/call-api.ts). */
const timeoutMs = 20_000

/** After each turn, longer than between two tries of another process: that one gets in between. */
const restMs = 50

type Locks = { readonly acrossProcesses: SessionLocks; readonly tails: Map<string, Promise<void>> }

const locksOf = new WeakMap<pg.Pool, Locks>()

/**
 * Does `work` while nobody else, in any process, settles or sells this invoice; QueueFullError when others keep
 * it too long. No connection is held meanwhile. The lock saves work and keeps one checkout an invoice; that
 * no payment counts twice does not hang on it, so that a lost one does no harm.
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
