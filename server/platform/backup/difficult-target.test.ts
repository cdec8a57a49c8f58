import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest'
import {
  type BackedUpShop,
  startBackedUpShop,
  waitUntil,
} from '#tests/support/backup/backed-up-shop.ts'
import { type Target, TargetError } from './target/target.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const hour = 3_600_000

let root: string
let shop: BackedUpShop
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'torque-difficult-target-'))
  shop = await startBackedUpShop({ root })
  await shop.protect()
  await shop.owner.query('create table public.notes (text text)')
})
afterAll(async () => {
  await shop.destroy()
  rmSync(root, { recursive: true, force: true })
})
beforeEach(() => shop.stopBackup())
afterEach(async () => {
  await shop.stopBackup()
  await shop.startBackup()
  await shop.protect()
})

const state = () => shop.backup.context.state
const objects = (pattern: RegExp) =>
  readdirSync(shop.target, { recursive: true, encoding: 'utf8' }).filter((name) =>
    pattern.test(name),
  )
const manifests = () => objects(/\/manifest-/).length
/** Returns the names of the stored parts of unfinished base backups, which have no manifest. */
const unfinishedParts = () => {
  const finished = new Set(objects(/\/manifest-/).map((name) => name.split('/manifest-')[0]))
  return objects(/\/part-/).filter((name) => !finished.has(name.split('/part-')[0]))
}
const book = async () => {
  const { rows } = await shop.owner.query<{ segment: string }>(
    `with note as (insert into public.notes values ('a booking') returning 1)
     select pg_walfile_name(pg_current_wal_insert_lsn()) as segment from note`,
  )
  await shop.owner.query('select pg_switch_wal()')
  return rows[0]?.segment ?? ''
}
/** Calls `before` with each object before the backup target stores the object. */
function intercept(before: (name: string) => Promise<void>): void {
  const { target } = shop.backup.context
  const put = target.put.bind(target)
  const intercepted: Target['put'] = async (name, content) => {
    await before(name)
    await put(name, content)
  }
  vi.spyOn(target, 'put').mockImplementation(intercepted)
}
/**
 * Starts a backup that needs a new base backup, at a backup target without space for the last parts of that base
 * backup.
 */
async function startWithoutSpaceForBase(pauseMs: number): Promise<{ room: boolean }> {
  const space = { room: false }
  await shop.startBackup({}, { pauseMs, idleMs: 20 })
  intercept(async (name) => {
    if (!space.room && /\/base\/\d+\/part-(?!000001$)/.test(name))
      throw new TargetError('full', 'The target has no space for a full copy.')
  })
  state().baseReason = 'switched on'
  return space
}

describe('a base backup (full copy) that the target refuses to store', () => {
  it('is reported as a problem until a base backup is complete, even while segments of the write-ahead log are sent', async () => {
    const before = manifests()
    const outdated = join(shop.target, state().incarnation.systemId, '1-aaaaaaaaaaaa', 'log')
    mkdirSync(outdated, { recursive: true })
    writeFileSync(join(outdated, `${'0'.repeat(24)}-${'0'.repeat(14)}`), '')
    const space = await startWithoutSpaceForBase(100)
    await waitUntil(() => shop.backup.progress().problem?.problem === 'full')
    const { sinceMs } = shop.backup.progress().problem ?? {}
    for (let nth = 0; nth < 3; nth += 1) {
      const segment = await book()
      await waitUntil(() => (state().nextSegment ?? '') > segment)
      expect(shop.backup.progress().problem).toMatchObject({ problem: 'full', sinceMs })
    }
    expect(shop.backup.progress().protectedMs).toBeUndefined()
    expect(manifests()).toBe(before)
    // To free space, the backup deletes an expired object at the target.
    await waitUntil(() => !existsSync(join(outdated, `${'0'.repeat(24)}-${'0'.repeat(14)}`)))
    space.room = true
    await shop.protect()
    await waitUntil(() => shop.backup.progress().problem === undefined)
    expect(manifests()).toBe(before + 1)
  })

  it('leaves no partial objects at the target', async () => {
    const number = state().nextBase
    await startWithoutSpaceForBase(hour)
    const { target } = shop.backup.context
    const remove = vi.spyOn(target, 'remove')
    await waitUntil(() => shop.backup.progress().problem?.problem === 'full')
    // The base backup failed after the target had stored its first part, so the process removes that part.
    expect(remove.mock.calls.map(([name]) => name)).toEqual([
      expect.stringMatching(new RegExp(`/base/0*${number}/part-000001$`)),
    ])
    expect(unfinishedParts()).toEqual([])
  })
})

const postgresql = (...path: string[]) => join(shop.dataDirectory, 'postgresql', ...path)
const segments = (folder: string) =>
  readdirSync(folder).filter((name) => /^[0-9A-F]{24}$/.test(name))
const spooled = () => segments(postgresql('spool'))
/**
 * Adds `count` bookings, each in its own log segment. Waits until PostgreSQL has archived these segments, because it
 * keeps a segment in `pg_wal` until then.
 */
async function bookAndArchive(count: number): Promise<string[]> {
  const written: string[] = []
  for (let nth = 0; nth < count; nth += 1) {
    const segment = await book()
    written.push(segment)
    await waitUntil(async () => {
      const { rows } = await shop.owner.query<{ name: string | null }>(
        'select last_archived_wal as name from pg_stat_archiver',
      )
      return (rows[0]?.name ?? '') >= segment
    })
  }
  return written
}

describe('a target that takes minutes to store an object', () => {
  it('blocks no bookings, keeps the write-ahead log within its size limit, and finally receives a new base backup', async () => {
    const before = manifests()
    const release = Promise.withResolvers<void>()
    onTestFinished(() => release.resolve())
    // Two segments of the write-ahead log (16 MB each) reach the size limit of the spool (the folder of unsent
    // segments).
    await shop.startBackup({ spoolMegabytes: 20 })
    intercept((name) => (name.includes('/log/') ? release.promise : Promise.resolve()))
    const startedMs = Date.now()
    await bookAndArchive(2)
    await waitUntil(() => state().chainUntil !== undefined)
    const { length: kept } = spooled()
    // The next sixteen segments would appear in the spool (the folder of unsent segments) if the backup still collected
    // segments.
    const written = await bookAndArchive(16)
    await waitUntil(() => spooled().length <= kept)
    await shop.owner.query('checkpoint')
    const wal = new Set(segments(postgresql('cluster', 'pg_wal')))
    expect(written.filter((segment) => wal.has(segment))).toEqual([])
    expect(state().brokenMs).toBeLessThan(Date.now())
    expect(state().brokenMs).toBeGreaterThan(startedMs - hour)
    expect(shop.backup.progress().protectedMs).toBeUndefined()
    expect(manifests()).toBe(before)
    release.resolve()
    await shop.protect()
    expect(manifests()).toBe(before + 1)
    expect(state().lostPeriods?.length).toBeGreaterThan(0)
  })
})
