import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/** How long the transaction that was let through has to get on, before each further try. */
const pausesMs = [50, 250]

/**
 * Does `work`, a whole transaction, again when PostgreSQL ended it in favour of another one. Each pause is partly
 * random: who comes back at once may take the same lock before the one that waited for it has woken up.
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

/** Whether the database chose this transaction to break a tie (40P01, 40001), so that another try may succeed. */
export function isRetryable(
  error: unknown,
): error is pg.DatabaseError & { code: '40P01' | '40001' } {
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001')
}
