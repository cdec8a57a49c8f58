import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Database, openDatabase } from '@local/postgres'
import { poolUrlOf } from '#server/platform/database/bootstrap-database.ts'
import {
  type BackedUpShop,
  startBackedUpShop,
  waitUntil,
} from '#tests/support/backup/backed-up-shop.ts'
import { DrillRunningError, performDrill } from './perform-drill.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let root: string
let shop: BackedUpShop
let reads = 0
const processes: Database[] = []
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'torque-perform-drill-'))
  shop = await startBackedUpShop({ root })
  await shop.protect()
})
afterEach(async () => {
  for (const database of processes.splice(0)) await database.close()
})
afterAll(async () => {
  await shop.destroy()
  rmSync(root, { recursive: true, force: true })
})

/**
 * Performs a restore drill (a test that restores the backup) with its own database connections, as a separate process
 * would. The drill reads the backup target after `mayRead` resolves.
 */
function drill(mayRead: Promise<void> = Promise.resolve()) {
  const database = openDatabase(poolUrlOf(shop.ownerUrl))
  processes.push(database)
  const { target, key } = shop.backup.context
  const folders = async (prefix: string) => {
    reads += 1
    await mayRead
    return target.folders(prefix)
  }
  return performDrill(
    {
      database,
      target: { ...target, folders },
      key,
      dataDirectory: shop.dataDirectory,
      ownerUrl: shop.ownerUrl,
      isLogical: false,
      now: Date.now,
      onStep: () => undefined,
      report: (error) => shop.reports.push(String(error)),
    },
    new AbortController().signal,
  )
}

/**
 * Sets the name of PostgreSQL's synchronous standby server. If this server does not exist, each commit waits, but
 * statements that only read do not.
 */
const delayCommits = async (standby: string) => {
  await shop.owner.query(`alter system set synchronous_standby_names = '${standby}'`)
  await shop.owner.query('select pg_reload_conf()')
}
const outcomes = async () => {
  const { rows } = await shop.owner.query<{ outcome: string }>(
    'select outcome from internal.backup_drills order by ended_at',
  )
  return rows.map(({ outcome }) => outcome)
}

/** Returns whether a commit has been waiting so long (more than a second) that a restore drill must stop. */
const isCommitSlow = async () => {
  const { rows } = await shop.owner.query(
    `select from pg_stat_activity where wait_event = 'SyncRep' and now() - query_start > interval '1200 ms'`,
  )
  return rows.length > 0
}

describe('a restore drill', () => {
  it('is refused while another process runs a restore drill, and does not disturb the running one', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = drill(promise)
    await waitUntil(() => reads > 0)
    await expect(drill()).rejects.toThrow(DrillRunningError)
    resolve()
    expect(await first).toMatchObject({ outcome: 'proven' })
    expect(await outcomes()).toEqual(['proven'])
    expect(shop.reports).toEqual([])
  })

  it("is stopped when a visitor's commit takes longer than a second, even if reads are fast", async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    reads = 0
    const drilling = drill(promise)
    await waitUntil(() => reads > 0)
    await delayCommits('missing')
    await waitUntil(isCommitSlow)
    await delayCommits('')
    resolve()
    expect(await drilling).toEqual({ outcome: 'not_drilled', reason: 'stopped' })
    expect(await outcomes()).toEqual(['proven', 'not_drilled'])
  })
})
