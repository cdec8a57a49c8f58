import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { type Query, queryOf } from './query.ts'

/** Pause between two attempts to take a lock that another process has. */
const retryMs = 20

type Session = {
  readonly client: Promise<pg.PoolClient>
  /** Number of callers that have a lock or are waiting for one. */
  users: number
  /** Resolves when the last statement has ended; statements run one after the other. */
  tail: Promise<unknown>
  broken: Error | undefined
  readonly recordBreak: (error: Error) => void
}

/**
 * Runs `work` while no other process runs any under the same key. Rejects when the lock is not free within
 * `timeoutMs`. Two callers in the same process share the lock: the caller keeps them apart.
 */
export type SessionLocks = <Result>(
  key: string,
  timeoutMs: number,
  work: () => Promise<Result>,
) => Promise<Result>

/**
 * Advisory locks of a session. All of them share one connection, which returns to the pool while no lock is taken:
 * slow work under a lock occupies neither a connection nor a transaction. When the process dies, PostgreSQL releases
 * its locks. When only the connection dies, the locks are released while the work goes on, so the work must be safe
 * to run twice. `createTimeoutError` makes the error of a caller who did not get the lock in time.
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
  // After an error the connection may still have a lock; closing it releases the lock.
  client?.release(session.broken)
}

/** False when another process still has the lock after `timeoutMs`. */
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
