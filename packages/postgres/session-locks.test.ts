import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { openPool } from '#tests/support/database/open-pool.ts'
import { QueueFullError } from '#server/platform/queue/work-queue.ts'
import { createSessionLocks } from './session-locks.ts'

let database: TestDatabase
const pools: ReturnType<typeof openPool>[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await database.drop()
})

/** A process of the shop, as far as its locks go. */
function openProcess(connections = 2) {
  const pool = openPool(database.url, connections)
  pools.push(pool)
  return { pool, locked: createSessionLocks(pool) }
}

function openGate() {
  let open = () => undefined as void
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open: () => open(), pass: () => opened }
}

/** How many locks the server knows of, by the connections that hold them. */
const held = async () =>
  (
    await database.owner.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and granted
       and database = (select oid from pg_database where datname = current_database())`,
    )
  ).rows.map(({ pid }) => pid)

describe('locks of a process', () => {
  it('keep another process out for as long as the work takes', async () => {
    const [one, other] = [openProcess(), openProcess()]
    const gate = openGate()
    const holding = one.locked('a', 1000, gate.pass)
    await expect.poll(held).toHaveLength(1)
    await expect(other.locked('a', 1, async () => 'in')).rejects.toThrow(QueueFullError)
    expect(await other.locked('b', 1, async () => 'in')).toBe('in')
    const waiting = other.locked('a', 10_000, async () => 'in')
    gate.open()
    await holding
    expect(await waiting).toBe('in')
    expect(await held()).toEqual([])
  })

  it('are all on one connection, which goes back to the pool', async () => {
    const { pool, locked } = openProcess(2)
    const gate = openGate()
    const all = Array.from({ length: 20 }, (_, key) => locked(String(key), 1000, gate.pass))
    await expect.poll(held).toHaveLength(20)
    expect(new Set(await held()).size).toBe(1)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    gate.open()
    await Promise.all(all)
    expect(pool.idleCount).toBe(pool.totalCount)
    expect(await held()).toEqual([])
  })

  it('are given back when the work fails', async () => {
    const { locked } = openProcess()
    await expect(locked('a', 1, () => Promise.reject(new Error('down')))).rejects.toThrow('down')
    expect(await held()).toEqual([])
  })

  it('are free at once when their process dies, whose next ones take another connection', async () => {
    const [one, other] = [openProcess(), openProcess()]
    const gate = openGate()
    const holding = one.locked('a', 1000, gate.pass)
    await expect.poll(held).toHaveLength(1)
    await database.owner.query('select pg_terminate_backend($1)', [(await held())[0]])
    expect(await other.locked('a', 10_000, async () => 'in')).toBe('in')
    await expect.poll(() => one.locked('b', 1000, async () => 'in').catch(() => 'out')).toBe('in')
    gate.open()
    await holding
  })
})
