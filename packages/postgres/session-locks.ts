import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { type Query, queryOf } from './query.ts'

/** The pause in milliseconds between two attempts to take a lock that another process has. */
const retryMs = 20

type Session = {
  readonly client: Promise<pg.PoolClient>
  /** The number of callers in this process that own a lock or wait for one. */
  users: number
  /** Resolves when the last statement has ended. The statements on the connection run one after the other. */
  tail: Promise<unknown>
  broken: Error | undefined
  readonly recordBreak: (error: Error) => void
}

/**
 * Runs `work` while no other process runs work with the same lock key. Rejects when the lock is not free within
 * `timeoutMs`. Two callers in the same process share the lock, so the calling code must itself run their work one after
 * the other.
 */
export type SessionLocks = <Result>(
  key: string,
  timeoutMs: number,
  work: () => Promise<Result>,
) => Promise<Result>

/**
 * Advisory locks of a PostgreSQL session. All locks of the process share one connection, which returns to the pool
 * while no lock is taken. Slow work under a lock therefore needs neither its own connection nor a transaction. When the
 * process crashes, PostgreSQL releases its locks. When only the connection breaks, PostgreSQL releases the locks while
 * the work continues, so the work must be safe to run twice. `createTimeoutError` creates the error for a caller that
 * did not get the lock in time.
 */
export function createSessionLocks(pool: pg.Pool, createTimeoutError: () => Error): SessionLocks {
  let current: Session | undefined

  const join = () => {
    if (!current || current.broken) current = openSession(pool)
    current.users += 1
    return current
  }
  const release = async (session: Session) => {
    session.users -= 1
    if (session.users > 0) return
    if (current === session) current = undefined
    await closeSession(session)
  }
  return async (key, timeoutMs, work) => {
    const session = join()
    try {
      if (!(await lock(session, key, timeoutMs))) throw createTimeoutError()
      try {
        return await work()
      } finally {
        await unlock(session, key)
      }
    } finally {
      await release(session)
    }
  }
}

function openSession(pool: pg.Pool): Session {
  const session: Session = {
    client: pool.connect(),
    users: 0,
    tail: Promise.resolve(),
    broken: undefined,
    recordBreak: (error) => void (session.broken ??= error),
  }
  session.client.then((client) => client.on('error', session.recordBreak), session.recordBreak)
  return session
}

async function closeSession(session: Session): Promise<void> {
  const client = await session.client.catch(() => undefined)
  client?.off('error', session.recordBreak)
  // After an error the connection may still have a lock. Closing the connection releases the lock.
  client?.release(session.broken)
}

/** Waits for a lock; returns false when another process still has it after `timeoutMs`. */
async function lock(session: Session, key: string, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!(await tryLock(session, key))) {
    if (performance.now() > deadline) return false
    await delay(retryMs)
  }
  return true
}

async function unlock(session: Session, key: string): Promise<void> {
  await runInTurn(session, (query) =>
    query.unchecked('select pg_advisory_unlock(hashtextextended($1, 0))', [key]),
  ).catch(() => undefined)
}

async function tryLock(session: Session, key: string): Promise<boolean> {
  const [row] = await runInTurn(session, (query) =>
    query.unchecked<{ is_done: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_done',
      [key],
    ),
  )
  return row?.is_done === true
}

function runInTurn<Result>(
  session: Session,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  const result = session.tail.then(async () => work(queryOf(await session.client)))
  session.tail = result.catch(session.recordBreak)
  return result
}
