import { type Database, queryOf, rowsAs } from '@local/postgres'
import { createWorkQueue } from '#server/platform/queue/work-queue.ts'

/**
 * Each job under way holds one connection for its lock and needs another for its work. More at once would take all ten
 * connections of the process, and then wait for each other.
 */
const mostAtOnce = 3
/** A job that waits longer is reported as failed: the others hang. */
const longestWaitMs = 60_000

/** Work that the shop does by itself, again and again. */
export type Job = {
  /** Names the lock; the same in every process. */
  readonly name: string
  readonly everySeconds: number
  /**
   * Runs without a turn and without a lock, so that no slow job delays it. It works in one short transaction, and leaves
   * alone what another process has in hand.
   */
  readonly isUrgent?: boolean
  /** Ends early when `signal` says so. */
  run(signal: AbortSignal): Promise<unknown>
}

export type RunningJobs = {
  /** Starts no job any more and waits for those under way. */
  stop(): Promise<void>
}

type Options = {
  readonly database: Database
  /** A job that failed runs again at its next time. */
  readonly report: (job: string, error: unknown) => void
  /** A job has ended, here or skipped because another process is at it. */
  readonly note?: (job: string, ms: number, failed: boolean) => void
}

/**
 * Runs each job at its interval. Several processes may do so on one database: a job that is under way
 * in one of them is skipped by the others.
 */
export function runJobs(jobs: readonly Job[], { database, report, note }: Options): RunningJobs {
  const stopping = new AbortController()
  const { signal } = stopping
  const underWay = new Map<string, Promise<unknown>>()
  const inTurn = createWorkQueue({
    atOnce: mostAtOnce,
    waiting: jobs.length,
    timeoutMs: longestWaitMs,
  })

  const start = (job: Job) => {
    if (underWay.has(job.name)) return
    const started = performance.now()
    let failed = false
    const whenItsTurnComes = async () =>
      signal.aborted ? undefined : runAlone(database, job, signal)
    const work: Promise<unknown> = (job.isUrgent ? runNow(job, signal) : inTurn(whenItsTurnComes))
      .catch((error: unknown) => {
        failed = true
        // A connection that breaks off while the shop closes is nobody's news.
        if (!signal.aborted) report(job.name, error)
      })
      .finally(() => {
        underWay.delete(job.name)
        note?.(job.name, performance.now() - started, failed)
      })
    underWay.set(job.name, work)
  }
  const timers = jobs.map((job) => {
    const timer = setInterval(start, job.everySeconds * 1000, job)
    return timer.unref()
  })

  return {
    async stop() {
      stopping.abort()
      for (const timer of timers) clearInterval(timer)
      await Promise.all(underWay.values())
    },
  }
}

async function runNow(job: Job, signal: AbortSignal): Promise<unknown> {
  return job.run(signal)
}

/**
 * Runs a job unless another process is at it; false when one is. The lock belongs to a connection of
 * its own, so a process that dies gives it back at once, and no transaction stays open meanwhile.
 */
export async function runAlone(
  database: Database,
  job: Job,
  signal: AbortSignal,
): Promise<boolean> {
  const client = await database.pool.connect()
  let broken: Error | undefined
  try {
    const query = queryOf(client)
    const key = `job ${job.name}`
    const [row] = rowsAs<{ is_ours: boolean }>(
      await query('select pg_try_advisory_lock(hashtextextended($1, 0)) as is_ours', [key]),
    )
    if (!row?.is_ours) return false
    try {
      await job.run(signal)
    } finally {
      await query('select pg_advisory_unlock(hashtextextended($1, 0))', [key]).catch(
        (error: Error) => (broken = error),
      )
    }
    return true
  } finally {
    // A connection that may still hold the lock is closed, which frees it.
    client.release(broken)
  }
}
