import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type pg from 'pg'
import { createEmptyDatabase, type EmptyDatabase, openTestPool } from './testing.ts'
import { createSessionLocks } from './session-locks.ts'

let database: EmptyDatabase
const pools: pg.Pool[] = []
beforeAll(async () => {
  database = await createEmptyDatabase()
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await database.drop()
})

/** Creates a separate pool with session locks, which behave like the locks of another process. */
function openProcess(connections = 2) {
  const pool = openTestPool(database.url, connections)
  pools.push(pool)
  return { pool, locked: createSessionLocks(pool, () => new Error('timeout')) }
}

function openGate() {
  let open = () => undefined as void
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open: () => open(), pass: () => opened }
}

/** Lists the process ids of the connections with advisory locks in this database, one for each lock. */
const listHolders = async () =>
  (
    await database.pool.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and granted
       and database = (select oid from pg_database where datname = current_database())`,
    )
  ).rows.map(({ pid }) => pid)

describe('session locks', () => {
  it('make another process wait until the work under the same lock has ended', async () => {
    const [one, other] = [openProcess(), openProcess()]
    const gate = openGate()
    const holding = one.locked('a', 1000, gate.pass)
    await expect.poll(listHolders).toHaveLength(1)
    await expect(other.locked('a', 1, async () => 'in')).rejects.toThrow('timeout')
    expect(await other.locked('b', 1, async () => 'in')).toBe('in')
    const waiting = other.locked('a', 10_000, async () => 'in')
    gate.open()
    await holding
    expect(await waiting).toBe('in')
    expect(await listHolders()).toEqual([])
  })

  it('share one connection, which returns to the pool after the last lock is released', async () => {
    const { pool, locked } = openProcess(2)
    const gate = openGate()
    const all = Array.from({ length: 20 }, (_, key) => locked(String(key), 1000, gate.pass))
    await expect.poll(listHolders).toHaveLength(20)
    expect(new Set(await listHolders()).size).toBe(1)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    gate.open()
    await Promise.all(all)
    expect(pool.idleCount).toBe(pool.totalCount)
    expect(await listHolders()).toEqual([])
  })

  it('are released when the work under the lock fails', async () => {
    const { locked } = openProcess()
    await expect(locked('a', 1, () => Promise.reject(new Error('down')))).rejects.toThrow('down')
    expect(await listHolders()).toEqual([])
  })

  it('are released when PostgreSQL terminates their connection, and the next lock uses another connection', async () => {
    const [one, other] = [openProcess(), openProcess()]
    const gate = openGate()
    const holding = one.locked('a', 1000, gate.pass)
    await expect.poll(listHolders).toHaveLength(1)
    await database.pool.query('select pg_terminate_backend($1)', [(await listHolders())[0]])
    expect(await other.locked('a', 10_000, async () => 'in')).toBe('in')
    await expect.poll(() => one.locked('b', 1000, async () => 'in').catch(() => 'out')).toBe('in')
    gate.open()
    await holding
  })
})
