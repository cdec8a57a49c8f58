import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/** The pauses in milliseconds before the second and the third attempt. */
const pausesMs = [50, 250]

/**
 * Repeats `work`, a whole transaction, when PostgreSQL rolled it back because of a deadlock or a serialization
 * failure. The pauses are partly random, because an immediate repetition may take the same lock before the waiting
 * transaction wakes up.
 */
export async function retryTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const pauseMs of pausesMs) {
    try {
      return await work()
    } catch (error) {
      if (!isRetryable(error)) throw error
      await delay(pauseMs * (0.5 + Math.random()))
    }
  }
  return work()
}

/** Returns whether PostgreSQL rolled the transaction back for a deadlock (40P01) or a serialization failure (40001). */
export function isRetryable(
  error: unknown,
): error is pg.DatabaseError & { code: '40P01' | '40001' } {
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001')
}
