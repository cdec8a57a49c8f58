import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Database } from '@local/postgres'
import { type HealthProblem, checkDatabase } from './check-database.ts'

/** Whether bookings are possible: the content of the `/healthz` response. */
export type Health =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: string; readonly why: string }

export type HealthWatch = {
  /** Checks the database at most once a second. Returns a result that is at most a second old. */
  check(): Promise<Health>
}

/**
 * Describes each problem: `code` and `why` are for the monitoring, and `toDo` contains the instructions for the owner
 * in the log.
 */
const descriptions: Readonly<Record<HealthProblem, { code: string; why: string; toDo: string }>> = {
  unreachable: {
    code: 'DATABASE_UNREACHABLE',
    why: 'The database does not answer.',
    toDo: 'The embedded database restarts automatically. If DATABASE_URL is set, check whether its PostgreSQL server is running and reachable.',
  },
  'disk-full': {
    code: 'DISK_FULL',
    why: 'The disk of the database is full.',
    toDo: 'Free some space on this disk: delete old backups and logs first, never a file below postgresql/. Bookings are refused until the disk has free space; stored data is not lost.',
  },
  'read-only': {
    code: 'READ_ONLY',
    why: 'The database accepts no changes.',
    toDo: 'The disk of the database is mounted read-only (see the log of the system), or DATABASE_URL leads to a standby or to a database with default_transaction_read_only.',
  },
  exhausted: {
    code: 'DATABASE_EXHAUSTED',
    why: 'The database has no connection or memory left.',
    toDo: 'Check what else uses the machine or the server of DATABASE_URL; each process of the site uses ten connections.',
  },
  failing: {
    code: 'DATABASE_FAILS',
    why: 'The database reports an error.',
    toDo: 'If the failures in this log mention unreadable files, check the disk and restore a backup.',
  },
  slow: {
    code: 'DATABASE_SLOW',
    why: 'The database does not answer in time.',
    toDo: 'Check the load of the machine and the statements that the database is running.',
  },
}

const maxAgeMs = 1_000
/**
 * The time in milliseconds after a failed request until the database is checked again. Many failed requests cause
 * only one check.
 */
const surpriseMs = 200
const sickEveryMs = 1_000
const wellEveryMs = 30_000

type Options = {
  readonly database: Database
  /** The clock in milliseconds and the function that checks the database. Tests replace the clock and the function. */
  readonly now?: () => number
  readonly check?: (database: Database) => Promise<HealthProblem | undefined>
}

/**
 * Monitors whether bookings are possible. Checks the database on request, regularly, every second during a problem,
 * and after a request failed because of the database. Logs each change of the result once.
 */
export function watchHealth(app: FastifyInstance, options: Options): HealthWatch {
  const { database, now = () => performance.now(), check = checkDatabase } = options
  const logChange = createChangeLog(app.log, now)
  let last: { readonly at: number; readonly problem: HealthProblem | undefined } | undefined
  let looking: Promise<HealthProblem | undefined> | undefined
  let loggedAt = Number.NEGATIVE_INFINITY

  const checkNow = async () => {
    const at = now()
    const problem = await check(database)
    last = { at, problem }
    looking = undefined
    logChange(problem)
    return problem
  }
  const current = async (maxAge = maxAgeMs) => {
    if (last && now() - last.at < maxAge) return last.problem
    return (looking ??= checkNow())
  }
  const recheck = async (error: Error) => {
    if (looking || (await current(surpriseMs)) || now() - loggedAt < maxAgeMs) return
    loggedAt = now()
    logUnexpectedFailure(app.log, error)
  }
  database.onOutage((error) => void recheck(error))
  repeat(app, async () => ((await current()) ? sickEveryMs : wellEveryMs))
  return { check: async () => present(await current()) }
}

function present(problem: HealthProblem | undefined): Health {
  if (!problem) return { ok: true }
  const { code, why } = descriptions[problem]
  return { ok: false, code, why }
}

/**
 * Logs one line with instructions when a problem begins, one line when the kind of the problem changes, and one line
 * when the problem ends.
 */
function createChangeLog(log: FastifyBaseLogger, now: () => number) {
  let ongoing: { readonly since: number; readonly problem: HealthProblem } | undefined
  return (problem: HealthProblem | undefined) => {
    if (problem === ongoing?.problem) return
    if (problem) {
      const { code, why, toDo } = descriptions[problem]
      log.error({ code }, `no booking can be taken: ${why} ${toDo}`)
      ongoing = { since: ongoing?.since ?? now(), problem }
    } else if (ongoing) {
      const seconds = Math.round((now() - ongoing.since) / 1000)
      log.warn({ seconds }, 'bookings can be taken again')
      ongoing = undefined
    }
  }
}

/** Logs a failed request whose cause the database check did not find. Many failed requests cause only one log line. */
function logUnexpectedFailure(log: FastifyBaseLogger, error: Error): void {
  log.error({ err: error }, 'the database failed a request, but its check finds no problem')
}

/**
 * Calls `work` repeatedly from when the app is ready until the app closes. The next call follows after the delay
 * that the last call returned.
 */
function repeat(app: FastifyInstance, work: () => Promise<number>): void {
  let timer: NodeJS.Timeout | undefined
  let isOpen = true
  const wait = (ms: number) => {
    if (isOpen) timer = setTimeout(() => void workAndWait(), ms).unref()
  }
  const workAndWait = async () => wait(await work())
  app.addHook('onReady', async () => wait(sickEveryMs))
  app.addHook('onClose', async () => {
    isOpen = false
    clearTimeout(timer)
  })
}
