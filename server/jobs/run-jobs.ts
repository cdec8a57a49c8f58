import { type Database, queryOf, rowsAs } from '@local/postgres'
import { createWorkQueue } from '#server/platform/queue/work-queue.ts'

/**
 * The maximum number of jobs that run at the same time. A running job occupies one database connection for its lock
 * and another for its work. With more jobs, their locks could occupy all ten connections of the process, and every
 * job would wait for a free connection.
 */
const mostAtOnce = 3
/**
 * The maximum time in milliseconds that a job waits while the maximum number of other jobs (`mostAtOnce`) is running.
 * Afterwards the job is reported as failed, because the running jobs are probably stuck.
 */
const longestWaitMs = 60_000

/** A job, which the server processes of the shop repeat at an interval. */
export type Job = {
  /** The name of the job and of its lock. The job has the same name in every process. */
  readonly name: string
  readonly everySeconds: number
  /**
   * If true, the job does not wait for other jobs and takes no lock, so that no slow job delays it. Such a job uses one
   * short transaction and skips rows that another process has locked.
   */
  readonly isUrgent?: boolean
  /** Does the work of the job once. Ends early when `signal` aborts. */
  run(signal: AbortSignal): Promise<unknown>
}

export type RunningJobs = {
  /** Starts no further jobs and waits until the running jobs end. */
  stop(): Promise<void>
}

type Options = {
  readonly database: Database
  /** Called after a job has failed. The job runs again after its interval. */
  readonly report: (job: string, error: unknown) => void
  /** Called when a job has ended, or when the job was skipped because another process is running it. */
  readonly note?: (job: string, ms: number, failed: boolean) => void
}

/**
 * Runs each job at its interval. When several processes share a database, a process skips a job that another process is
 * running.
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
        // A lost connection is expected while the process shuts down, so it is not reported.
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
 * Runs a job and returns true, or returns false if another process is running the job. The lock belongs to a
 * separate database connection, so a crash releases the lock immediately, and no transaction stays open during the
 * job.
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
    // If the job's lock could not be released, the connection is closed, because PostgreSQL releases the locks of a
    // closed connection.
    client.release(broken)
  }
}
