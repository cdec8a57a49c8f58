import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Database, openDatabase } from '@local/postgres'
import { poolUrlOf } from '#server/platform/database/bootstrap-database.ts'
import { type BackedUpShop, startBackedUpShop } from '#tests/support/backup/backed-up-shop.ts'
import { createDrillSchedule } from './schedule-drills.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let root: string
let shop: BackedUpShop
let database: Database
let nowMs: () => number
let runJob: () => Promise<void>
/**
 * Each restore drill that the job started, with the number of removal files (ids of erased customers) in the backup
 * target at the start of the drill.
 */
const drills: { removals: number }[] = []
beforeAll(async () => {
  nowMs = Date.now
  root = mkdtempSync(join(tmpdir(), 'torque-schedule-'))
  shop = await startBackedUpShop({ root })
  await shop.protect()
  database = openDatabase(poolUrlOf(shop.ownerUrl))
  runJob = createDrillSchedule({
    database,
    ownerUrl: shop.ownerUrl,
    drillAt: '03:10',
    now: () => nowMs(),
    backup: {
      current: () => shop.backup,
      runningDrill: () => undefined,
      async startDrill() {
        drills.push({ removals: countRemovals() })
        return true
      },
      stopDrill: async () => undefined,
    },
  })
})
beforeEach(() => {
  nowMs = Date.now
  drills.splice(0)
})
afterAll(async () => {
  await database.close()
  await shop.destroy()
  rmSync(root, { recursive: true, force: true })
})

/**
 * Counts the removal files (ids of erased customers) at the backup target; zero while the target folder is moved away.
 */
const countRemovals = () =>
  existsSync(shop.target)
    ? readdirSync(shop.target, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /\/removals\/./.test(name),
      ).length
    : 0
const erase = () =>
  shop.owner.query(
    `insert into public.erasures (customer_id, erased_by_name, counts, retained)
     values (gen_random_uuid(), 'admin', '{}', '[]')`,
  )
const addDrill = () =>
  shop.owner.query(
    `insert into internal.backup_drills (started_at, outcome, row_count) values (now(), 'proven', 1)`,
  )

describe('the nightly job of the backup', () => {
  it('starts the restore drill before it uploads the list of erased customers', async () => {
    await erase()
    await runJob()
    expect(drills).toEqual([{ removals: 0 }])
    expect(countRemovals()).toBe(1)
  })

  it('starts the restore drill even if the target is unavailable, so that the failure is recorded', async () => {
    await erase()
    // The test stops the backup before it moves the target folder away. A running backup would notice that the marker
    // file of the folder is missing, and would later request a new full copy.
    await shop.stopBackup()
    renameSync(shop.target, `${shop.target}-away`)
    await expect(runJob()).rejects.toThrow(/cannot be used/)
    renameSync(`${shop.target}-away`, shop.target)
    await shop.startBackup()
    await shop.protect()
    expect(drills).toHaveLength(1)
  })

  it('starts the first restore drill even if the backup state lacks `unprovenSinceMs`, the time since which no drill has proven the full copy', async () => {
    delete shop.backup.context.state.unprovenSinceMs
    await runJob()
    expect(drills).toHaveLength(1)
  })

  it('waits an hour for the first full copy before it starts a restore drill', async () => {
    await shop.stopBackup()
    shop.backup.context.state.baseReason = 'switched on'
    await runJob()
    expect(drills).toEqual([])
    nowMs = () => Date.now() + 3_600_000
    await runJob()
    expect(drills).toHaveLength(1)
    // The test stopped the backup and changed its state, so the test starts the backup again and waits for a full copy.
    await shop.startBackup()
    await shop.protect()
  })

  it('starts no second restore drill on the same day, unless a new full copy was made since the first drill', async () => {
    await addDrill()
    await runJob()
    expect(drills).toEqual([])
    shop.backup.context.state.unprovenSinceMs = Date.now() + 1000
    await runJob()
    expect(drills).toHaveLength(1)
  })

  it('starts a restore drill when the last drill started before the newest full copy was complete, even if that drill ended later', async () => {
    await addDrill()
    shop.backup.context.state.unprovenSinceMs = Date.now() + 1
    await shop.owner.query(
      `insert into internal.backup_drills (started_at, ended_at, outcome, row_count)
       values (now() - interval '1 minute', now() + interval '1 minute', 'proven', 1)`,
    )
    await runJob()
    expect(drills).toHaveLength(1)
  })
})
