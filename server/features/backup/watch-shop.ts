import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '@local/postgres'

const probeEveryMs = 1_000
/**
 * The maximum duration of a test transaction with visitor rights during a restore drill (test restore). A slower
 * transaction stops the drill, so that the drill does not delay bookings.
 */
const slowestMs = 1_000

export type ShopWatch = { readonly signal: AbortSignal; stop(): void }

/**
 * Commits a small change with the rights of a visitor every second. Each commit waits for the disk, like the commit
 * of a booking. Aborts the signal when a commit fails or takes longer than `slowestMs`.
 */
export function watchShop(database: Database): ShopWatch {
  const slow = new AbortController()
  const ended = new AbortController()
  const probe = async () => {
    const timer = setTimeout(() => slow.abort(new Error('the shop is slow')), slowestMs)
    try {
      await database.transaction({ role: 'anon' }, (query) =>
        query(`select pg_logical_emit_message(true, 'drill', 'probe')::text as position`),
      )
    } catch (error) {
      slow.abort(error)
    } finally {
      clearTimeout(timer)
    }
  }
  const probeUntilEnd = async () => {
    while (!ended.signal.aborted && !slow.signal.aborted) {
      await probe()
      await delay(probeEveryMs, undefined, { signal: ended.signal, ref: false }).catch(
        () => undefined,
      )
    }
  }
  void probeUntilEnd()
  return { signal: slow.signal, stop: () => ended.abort() }
}
