import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Config } from '#server/config.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { createBackupReport } from './backup-report.ts'
import type { BackupService } from './open-backup.ts'
import { type BackupSource, readBackup } from './read-backup.ts'

const startMs = Date.now()
const fingerprint = '7F3A 91C4 22D8'
/** The URL of a backup target, with the names of a bucket and a folder. No report may contain either name. */
const address = 's3://secret-bucket/folder'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
  await shop.owner.query(
    `insert into internal.backup_key_copies (fingerprint, confirmed_by_name) values ($1, 'lena')`,
    [fingerprint],
  )
})
afterAll(() => shop.drop())

type Progress = ReturnType<NonNullable<ReturnType<BackupService['current']>>['progress']>

/**
 * Creates a function that reports the backup state `progress`, and the clock of the report, which the test advances.
 */
function report(progress: Progress | undefined, state: object = {}) {
  const clock = { ms: startMs }
  const config = {
    backup: { url: address, keepDays: 30, spoolMegabytes: 2000, drillAt: '03:10' },
    dataDirectory: '/var/lib/shop',
  } as unknown as Config
  const context = { target: { address }, key: { fingerprint }, spool: '/dev/shm', state }
  const running = progress && { progress: () => progress, context }
  const source = {
    config,
    database: shop.database,
    backup: { current: () => running, runningDrill: () => undefined },
    now: () => clock.ms,
  } as unknown as BackupSource
  return { clock, source, read: createBackupReport(source) }
}
const fresh: Progress = { protectedMs: startMs - 20_000, problem: undefined }
const away = { problem: 'unreachable', message: `${address} does not answer.` } as const
const addDrill = (outcome: string) =>
  shop.owner.query(
    `insert into internal.backup_drills (started_at, outcome, reason, row_count)
     values (now(), $1, case $1 when 'proven' then null else 'full' end, 1)`,
    [outcome],
  )

describe('the backup report of GET /healthz', () => {
  it('has the state late before the first restore drill, and before the backup runs', async () => {
    expect(await report(undefined).read()).toMatchObject({ state: 'late', newestAgeSeconds: null })
    const unproven = { state: 'late', newestAgeSeconds: 20, lastDrill: null }
    expect(await report(fresh).read()).toEqual(unproven)
  })

  it('has the state ok after a successful restore drill, and contains no URL, path or count', async () => {
    await addDrill('proven')
    const result = await report(fresh).read()
    expect(result).toEqual({
      state: 'ok',
      newestAgeSeconds: 20,
      lastDrill: { at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), outcome: 'proven' },
    })
    expect(JSON.stringify(result)).not.toMatch(/secret|folder|shop/)
  })

  it('contains, for a continuous backup only, the earliest time to which the shop can be restored', async () => {
    const oldestMs = startMs - 86_400_000
    const { source } = report(fresh, { oldestMs })
    const restorableSince = new Date(oldestMs).toISOString()
    expect(await readBackup(source)).toMatchObject({ restorableSince, isNightly: false })
    Object.assign(source.config, { databaseUrl: 'postgres://db.example/shop' })
    expect(await readBackup(source)).toMatchObject({ restorableSince: null, isNightly: true })
  })

  it('has the state late while the backup target lacks a file; the dashboard then names the file', async () => {
    const { source, read } = report(fresh, { skippedFiles: { 'photos/a.jpg': 'unreadable' } })
    expect(await read()).toMatchObject({ state: 'late' })
    expect(await readBackup(source)).toMatchObject({
      skippedFiles: [{ path: 'photos/a.jpg', problem: 'unreadable' }],
      skippedFileCount: 1,
    })
  })

  it('has the state late after a new chain (a full copy and its later changes) began, until a restore drill proves that chain', async () => {
    const state = { unprovenSinceMs: Date.now() + 60_000 }
    expect(await report(fresh, state).read()).toMatchObject({ state: 'late' })
  })

  it('states, during a database outage, the growing age of the oldest change without a backup, and then has the state late', async () => {
    const { clock, source, read } = report(fresh)
    await read()
    Object.assign(source, { database: { transaction: () => Promise.reject(new Error('down')) } })
    clock.ms += 60_000
    expect(await read()).toMatchObject({ state: 'ok', newestAgeSeconds: 80 })
    clock.ms += 60_000
    expect(await read()).toMatchObject({ state: 'late', newestAgeSeconds: 140 })
  })

  it('has the state late, not off, when the database has been unavailable since the start', async () => {
    const { source, read } = report(fresh)
    Object.assign(source, { database: { transaction: () => Promise.reject(new Error('down')) } })
    expect(await read()).toEqual({ state: 'late', newestAgeSeconds: null, lastDrill: null })
  })

  it('has the state failed when the target has not responded for ten minutes, or when the last restore drill could not check the backup', async () => {
    const problem = { ...away, sinceMs: startMs - 601_000 }
    expect(await report({ ...fresh, problem }).read()).toMatchObject({ state: 'failed' })
    await addDrill('not_drilled')
    expect(await report(fresh).read()).toMatchObject({ state: 'failed' })
  })

  it('has the state late when the last restore drill started before the newest full copy was complete, even if the drill ended later', async () => {
    const later = `started_at + interval '2 minutes'`
    await shop.owner.query(
      `insert into internal.backup_drills (started_at, ended_at, outcome, row_count)
       select started_at, ${later}, 'proven', 1 from (select clock_timestamp()) drill (started_at)`,
    )
    expect(await report(fresh).read()).toMatchObject({ state: 'ok' })
    const state = { unprovenSinceMs: Date.now() + 60_000 }
    expect(await report(fresh, state).read()).toMatchObject({ state: 'late' })
  })
})
