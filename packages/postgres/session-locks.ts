import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { QueueFullError } from '#server/platform/queue/work-queue.ts'
import { rowsAs } from './columns.ts'
import { type Query, queryOf } from './query.ts'

/** Between two tries for a lock that another process has. */
const retryMs = 20

type Session = {
  readonly client: Promise<pg.PoolClient>
  /** How many hold or want a lock of it. */
  users: number
  /** Its statements go one after the other. */
  tail: Promise<unknown>
  broken: Error | undefined
  readonly recordBreak: (error: Error) => void
}

/**
 * Does `work` while no other process does any under the same key; QueueFullError when it has not got its turn
 * after `timeoutMs`. Within the process it is for the caller to let one in at a time.
 */
export type SessionLocks = <Result>(
  key: string,
  timeoutMs: number,
  work: () => Promise<Result>,
) => Promise<Result>

/**
 * Advisory locks, all of them on one connection, which is back in the pool while there are none. So who
 * has a lock and waits for something slow keeps no connection and no transaction from others, and a
 * process that dies gives its locks back at once. When only the connection dies, they are gone although
 * their holders go on: what is done under a lock must be safe to do twice.
 */
export function createSessionLocks(pool: pg.Pool): SessionLocks {
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
      await lock(session, key, timeoutMs)
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
  // A connection that may still hold a lock is closed, which frees it.
  client?.release(session.broken)
}

async function lock(session: Session, key: string, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await tryLock(session, key))) {
    if (performance.now() > deadline) throw new QueueFullError()
    await delay(retryMs)
  }
}

async function unlock(session: Session, key: string): Promise<void> {
  await inTurn(session, (query) =>
    query('select pg_advisory_unlock(hashtextextended($1, 0)) as is_done', [key]),
  ).catch(() => undefined)
}

async function tryLock(session: Session, key: string): Promise<boolean> {
  const [row] = await inTurn(session, async (query) =>
    rowsAs<{ is_done: boolean }>(
      await query('select pg_try_advisory_lock(hashtextextended($1, 0)) as is_done', [key]),
    ),
  )
  return row?.is_done === true
}

function inTurn<Result>(
  session: Session,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  const result = session.tail.then(async () => work(queryOf(await session.client)))
  session.tail = result.catch(session.recordBreak)
  return result
}
