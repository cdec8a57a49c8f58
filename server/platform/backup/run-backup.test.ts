import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  mkdirSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { BaseManifest } from './base/manifest.ts'
import { loadState, saveState } from './state.ts'
import { openCopy } from './restore/open-copy.ts'
import { findFiles } from './restore/restore-files.ts'
import { missingSegment } from './restore/unusable-object.ts'
import { readLatestFacts, sendFacts } from './latest-facts.ts'
import { readRemovals, sendRemovals } from './removals.ts'
import { incarnationFolder, markName, objectNames } from './objects/object-names.ts'
import { openKeyFiles } from '#server/platform/keys/key-files.ts'
import {
  type BackedUpShop,
  startBackedUpShop,
  waitUntil,
} from '#tests/support/backup/backed-up-shop.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let root: string
let shop: BackedUpShop
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'torque-run-backup-'))
  shop = await startBackedUpShop({ root })
  await shop.protect()
})
afterAll(async () => {
  await shop.destroy()
  rmSync(root, { recursive: true, force: true })
})
afterEach(() => {
  if (existsSync(`${shop.target}-away`)) {
    rmSync(shop.target, { recursive: true, force: true })
    renameSync(`${shop.target}-away`, shop.target)
  }
  shop.reports.length = 0
  shop.notices.length = 0
})

const state = () => shop.backup.context.state
const objects = (pattern: RegExp) =>
  readdirSync(shop.target, { recursive: true, encoding: 'utf8' }).filter((name) =>
    pattern.test(name),
  )
const manifests = () => objects(/manifest-/).length
const incarnations = () => new Set(objects(/manifest-/).map((name) => name.split('/')[1])).size
const spooled = () =>
  readdirSync(join(shop.dataDirectory, 'postgresql', 'spool')).filter((name) =>
    /^[0-9A-F]{24}$/.test(name),
  )
const switchSegment = async () => {
  const { rows } = await shop.owner.query<{ segment: string }>(
    `select pg_walfile_name(pg_switch_wal()) as segment from pg_logical_emit_message(true, 'test', 'a')`,
  )
  return rows[0]?.segment ?? ''
}
const isSpooled = (segment: string) => waitUntil(() => spooled().includes(segment))
/**
 * Tries to restore the first whole second after `brokenMs`, which must be refused. Returns the reason for the refusal,
 * with the period that cannot be restored.
 */
async function openCopyInGap(brokenMs: number): Promise<unknown> {
  const { target, key } = shop.backup.context
  const at = new Date(Math.ceil(brokenMs / 1000) * 1000).toISOString().slice(0, 19)
  const opened = await openCopy({ target, key, at: `${at}Z`, now: () => Date.now() + 60_000 })
  return (await missingSegment(opened)).detail
}
const problem = () => shop.backup.progress().problem?.problem
/** Replaces the backup target with an empty folder, as if its disk were no longer mounted. */
async function takeAway(): Promise<void> {
  renameSync(shop.target, `${shop.target}-away`)
  mkdirSync(shop.target)
  await waitUntil(() => problem() === 'emptied')
  expect(state().baseReason).toBe('missing mark')
}

describe('the target of a running backup', () => {
  it('has a marker file, an ownership claim (the record that reserves the folder), a base backup, and every log segment', async () => {
    await shop.sendLog()
    expect(objects(/^torque-and-timing\.json$/)).toHaveLength(1)
    expect(objects(/claims\/00000001$/)).toHaveLength(1)
    expect(manifests()).toBe(1)
    await waitUntil(() => shop.backup.progress().protectedMs !== undefined)
    // A checkpoint during the test may add another log segment to the spool (the folder of unsent segments).
    await waitUntil(() => spooled().length === 0)
    expect(shop.reports).toEqual([])
  })

  it('contains no readable text of the shop', async () => {
    mkdirSync(join(shop.dataDirectory, 'outbox'), { recursive: true })
    writeFileSync(join(shop.dataDirectory, 'outbox', 'a.eml'), 'To: dana@example.com')
    await waitUntil(() => 'outbox/a.eml' in state().files)
    for (const name of objects(/\/(part|manifest)-\d+$|\/(log|files)\//)) {
      const content = readFileSync(join(shop.target, name), 'latin1')
      expect(content).not.toMatch(/dana@example|outbox|quote_requests/)
    }
  })

  it('receives the write-ahead log and the other files while one file is too large to be sent', async () => {
    mkdirSync(join(shop.dataDirectory, 'outbox'), { recursive: true })
    const large = join(shop.dataDirectory, 'outbox', 'large.bin')
    writeFileSync(large, '')
    truncateSync(large, 2 ** 31 + 1)
    writeFileSync(join(shop.dataDirectory, 'outbox', 'small.eml'), 'To: sam@example.com')
    const segment = await switchSegment()
    await waitUntil(() => (state().nextSegment ?? '') > segment)
    expect(state().files).toHaveProperty(['outbox/small.eml'])
    expect(state().skippedFiles).toEqual({ 'outbox/large.bin': 'too large' })
    const { target, key } = shop.backup.context
    const { store, copy, manifest } = await openCopy({ target, key, now: Date.now })
    const { skipped } = await findFiles(store, copy, manifest, undefined)
    expect(skipped).toEqual([{ path: 'outbox/large.bin', problem: 'too large' }])
    rmSync(large)
    rmSync(join(shop.dataDirectory, 'outbox', 'small.eml'))
    await waitUntil(() => Object.keys(state().skippedFiles ?? {}).length === 0)
    expect(shop.reports).toEqual([])
  })

  it('receives a record of each removed file', async () => {
    const before = objects(/files\//).length
    rmSync(join(shop.dataDirectory, 'outbox', 'a.eml'))
    await waitUntil(() => !('outbox/a.eml' in state().files))
    expect(objects(/files\//)).toHaveLength(before + 1)
  })
})

describe('the records of customer erasures at the target', () => {
  it('are sent once and can be read without the write-ahead log', async () => {
    const { context } = shop.backup
    const removal = { id: 'e1', customerId: 'c1', atMs: 5 }
    await sendRemovals(context, [removal])
    await sendRemovals(context, [removal, { ...removal, id: 'e0', atMs: 1 }])
    expect(objects(/removals\/e\d$/)).toHaveLength(2)
    const lineage = [{ folder: incarnationFolder(state().incarnation), untilMs: undefined }]
    expect(await readRemovals(context.target, context.store, lineage)).toEqual({
      removals: [{ ...removal, id: 'e0', atMs: 1 }, removal],
      unreadable: 0,
    })
  })
})

describe('a copy of the data directory that is started as a second shop', () => {
  it('claims the incarnation (backup history) of the original shop, and the original shop then begins a new incarnation', async () => {
    const { context } = shop.backup
    const { id } = context.state.incarnation
    const folder = incarnationFolder(context.state.incarnation)
    const next = folder + objectNames.claim(context.state.claim + 1)
    expect(await context.target.create(next, Buffer.from('the copy'))).toBe(true)
    await waitUntil(() => state().incarnation.id !== id)
    await shop.protect()
    expect(state().removals).toEqual([])
  })
})

describe('the latest accounts and number counters that the target stores for a restore', () => {
  it('are sent in encrypted form when they have changed, and can be read again', async () => {
    const { context } = shop.backup
    const lineage = [{ folder: incarnationFolder(state().incarnation), untilMs: undefined }]
    const read = () => readLatestFacts(context.store, lineage)
    const facts = { accounts: [{ userId: 'u1', passwordHash: 'hash-1' }], counts: { invoices: 7 } }
    await sendFacts(context, facts)
    const first = await read()
    expect(first).toEqual({ ...facts, atMs: expect.any(Number) })
    await sendFacts(context, facts)
    expect(await read()).toEqual(first)
    await sendFacts(context, { ...facts, counts: { invoices: 8 } })
    expect((await read())?.counts).toEqual({ invoices: 8 })
    const [object = ''] = objects(/\/facts$/)
    expect(readFileSync(join(shop.target, object), 'latin1')).not.toContain('hash')
  })
})

describe('a backup target that did not respond', () => {
  it('is tried again immediately at the request of an owner in the dashboard, even during the pause after a failure', async () => {
    await shop.stopBackup()
    const hour = 3_600_000
    await shop.startBackup({}, { sendEveryMs: hour, pauseMs: hour, idleMs: hour })
    await shop.backup.sendNow()
    renameSync(shop.target, `${shop.target}-away`)
    await shop.backup.sendNow()
    expect(problem()).toBe('unreachable')
    renameSync(`${shop.target}-away`, shop.target)
    await shop.backup.sendNow()
    expect(problem()).toBeUndefined()
    await shop.stopBackup()
    await shop.startBackup()
  })

  it('receives the write-ahead log that was not sent yet when it responds again, without a new base backup', async () => {
    const before = manifests()
    await waitUntil(async () => {
      const segment = await switchSegment()
      await waitUntil(() => (state().nextSegment ?? '') > segment)
      return shop.backup.progress().protectedMs !== undefined
    })
    renameSync(shop.target, `${shop.target}-away`)
    await waitUntil(() => problem() === 'unreachable')
    const { sinceMs = 0 } = shop.backup.progress().problem ?? {}
    await isSpooled(await switchSegment())
    // While the target does not respond, the moment up to which the shop is protected does not advance, even without
    // changes in the shop.
    await waitUntil(() => Date.now() > sinceMs + 500)
    expect(shop.backup.progress().protectedMs).toBeLessThanOrEqual(sinceMs)
    renameSync(`${shop.target}-away`, shop.target)
    await waitUntil(() => spooled().length === 0 && problem() === undefined)
    expect(manifests()).toBe(before)
  })

  it('receives nothing while its marker file is missing, because its disk may not be mounted', async () => {
    const [before, ids] = [manifests(), incarnations()]
    await takeAway()
    const missingMs = Date.now()
    const segment = await switchSegment()
    await isSpooled(segment)
    expect(objects(/./)).toEqual([])
    expect(shop.backup.progress().protectedMs).toBeUndefined()
    rmSync(shop.target, { recursive: true })
    renameSync(`${shop.target}-away`, shop.target)
    await waitUntil(() => spooled().length === 0)
    // The backup continues in the same folder with a new base backup. Only a restore drill (a test of the backup) after
    // this base backup proves that the backup can be restored.
    await shop.protect()
    expect([manifests(), incarnations()]).toEqual([before + 1, ids])
    expect(state().unprovenSinceMs).toBeGreaterThanOrEqual(missingMs)
  })

  it('receives all data again when its marker file is back but its other files are missing', async () => {
    const { id } = state().incarnation
    await takeAway()
    cpSync(join(`${shop.target}-away`, markName), join(shop.target, markName))
    await waitUntil(() => state().incarnation.id !== id)
    await shop.protect()
    expect([manifests(), incarnations()]).toEqual([1, 1])
    rmSync(`${shop.target}-away`, { recursive: true })
  })

  it('receives all data again if it is empty but on the same disk, and nothing if it is on another disk', async () => {
    const { id } = state().incarnation
    const { mark } = state()
    await takeAway()
    const disk = vi.spyOn(shop.backup.context.target, 'disk').mockResolvedValue('another disk')
    state().missingSinceMs = Date.now() - 601_000
    await waitUntil(() => disk.mock.calls.length > 3)
    expect(objects(/./)).toEqual([])
    disk.mockRestore()
    await waitUntil(() => state().incarnation.id !== id)
    await shop.protect()
    expect(state().mark).not.toBe(mark)
    expect([manifests(), incarnations()]).toEqual([1, 1])
    rmSync(`${shop.target}-away`, { recursive: true })
    expect(problem()).toBeUndefined()
  })

  it('has a gap in its log segments after the local spool (the folder of unsent segments) was full, and then receives a new base backup', async () => {
    await shop.stopBackup()
    const before = manifests()
    renameSync(shop.target, `${shop.target}-away`)
    // Two segments of the write-ahead log (16 MB each) reach the size limit of the spool (the folder of unsent
    // segments).
    await shop.startBackup({ spoolMegabytes: 20 })
    const kept = [await switchSegment(), await switchSegment()]
    await waitUntil(() => state().chainUntil !== undefined)
    const [, last] = kept
    const lostSegment = await switchSegment()
    await waitUntil(async () => {
      const { rows } = await shop.owner.query<{ name: string }>(
        'select last_archived_wal as name from pg_stat_archiver',
      )
      return (rows[0]?.name ?? '') >= lostSegment && !spooled().includes(lostSegment)
    })
    expect(state()).toMatchObject({ baseReason: 'broken chain', brokenMs: expect.any(Number) })
    expect(shop.backup.progress().protectedMs).toBeUndefined()
    const brokenMs = state().brokenMs ?? 0
    renameSync(`${shop.target}-away`, shop.target)
    await shop.protect()
    expect(manifests()).toBe(before + 1)
    // The backup also sends the remaining log segments from before the gap, because they extend the restorable period.
    expect(objects(new RegExp(`log/${last}`))).toHaveLength(1)
    expect(objects(new RegExp(`log/${lostSegment}`))).toEqual([])
    expect(state().brokenMs).toBeUndefined()
    expect(state().unprovenSinceMs).toBeGreaterThan(brokenMs)
    const lost = () => (state().lostPeriods ?? []).filter(([fromMs]) => fromMs === brokenMs)
    await waitUntil(() => lost().length === 1)
    expect(lost()).toEqual([[brokenMs, state().base?.endedMs]])
    const refused = await openCopyInGap(brokenMs)
    expect(refused).toMatchObject({ problem: 'missing', lostMs: [brokenMs, expect.any(Number)] })
    await shop.stopBackup()
    await shop.startBackup()
  })
})

describe('a new base backup begins immediately', () => {
  it('in a new incarnation (backup history) when the backup key has changed', async () => {
    const before = incarnations()
    await shop.stopBackup()
    openKeyFiles(shop.dataDirectory).write('backup.key', 'k'.repeat(43))
    await shop.startBackup()
    expect(state().baseReason).toBe('another key')
    await shop.protect()
    expect(incarnations()).toBe(before + 1)
  })

  it('in the same incarnation (backup history) when PostgreSQL was upgraded, and not again at the following start', async () => {
    const [before, ids] = [manifests(), incarnations()]
    await shop.stopBackup()
    const stored = loadState(shop.dataDirectory)
    if (!stored?.base) throw new Error('there is no base backup')
    const { version = 0 } = stored.base
    const { rows } = await shop.owner.query('show server_version_num')
    expect(rows).toEqual([{ server_version_num: String(version) }])
    saveState(shop.dataDirectory, { ...stored, base: { ...stored.base, version: version - 1 } })
    const startedMs = Date.now()
    await shop.startBackup()
    expect(state().baseReason).toBe('another PostgreSQL')
    expect(shop.backup.progress().protectedMs).toBeUndefined()
    await shop.protect()
    expect([manifests(), incarnations()]).toEqual([before + 1, ids])
    expect(state().unprovenSinceMs).toBeGreaterThanOrEqual(startedMs)
    // No change is lost, because the archived log continues without a gap.
    expect(state().brokenMs).toBeUndefined()
    await shop.stopBackup()
    await shop.startBackup()
    expect(state().baseReason).toBeUndefined()
  })

  it('when the write-ahead log has a gap, because the database server ran without the backup', async () => {
    const before = manifests()
    await waitUntil(async () => {
      await switchSegment()
      return state().sentUntilMs !== undefined
    })
    await shop.stopBackup()
    const stoppedMs = Date.now()
    const segment = await switchSegment()
    await isSpooled(segment)
    rmSync(join(shop.dataDirectory, 'postgresql', 'spool', segment))
    await shop.startBackup()
    await switchSegment()
    await waitUntil(() => manifests() === before + 1 && state().baseReason === undefined)
    expect(state().brokenMs).toBeUndefined()
    // The changes that the shop made while the backup was off cannot be restored.
    const { store } = shop.backup.context
    const newest = objects(/manifest-/)
      .filter((name) => name.startsWith(incarnationFolder(state().incarnation)))
      .toSorted()
      .at(-1)
    const { lostMs } = JSON.parse((await store.read(newest ?? '')).toString()) as BaseManifest
    expect(lostMs?.[0]).toBeLessThanOrEqual(stoppedMs)
  })

  it('in a new incarnation (backup history) when a copy of this shop already writes to the former incarnation', async () => {
    const before = incarnations()
    await shop.stopBackup()
    const { claim } = state()
    const own = state().incarnation.id
    const copy = join(root, 'copy')
    cpSync(join(shop.dataDirectory, 'backups'), copy, { recursive: true })
    // The original process continues and renews its claim (the numbered record that reserves its folder). Then a
    // process starts with a copy of the earlier state, which contains the earlier claim number.
    const passed = Date.now() + 3_700_000
    vi.spyOn(Date, 'now').mockReturnValue(passed)
    await shop.startBackup()
    await waitUntil(() => state().claim === claim + 1 && state().claimedMs > 0)
    await shop.stopBackup()
    vi.restoreAllMocks()
    cpSync(copy, join(shop.dataDirectory, 'backups'), { recursive: true })
    vi.spyOn(Date, 'now').mockReturnValue(passed)
    await shop.startBackup()
    await waitUntil(() => state().incarnation.id !== own)
    expect(state().baseReason).toBe('another claim')
    vi.restoreAllMocks()
    await shop.protect()
    expect(incarnations()).toBe(before + 1)
  })
})

describe('a shop whose backup objects another process removed while the shop did not run', () => {
  it('begins a new incarnation (backup history) at its next start, and sends everything again', async () => {
    await shop.stopBackup()
    const { id } = state().incarnation
    const folder = join(shop.target, incarnationFolder(state().incarnation))
    rmSync(folder, { recursive: true })
    await shop.startBackup()
    await waitUntil(() => state().incarnation.id !== id)
    await shop.protect()
    expect(existsSync(folder)).toBe(false)
  })
})

describe('a new shop that is configured with the backup target of another shop', () => {
  it('prints the command that restores the other shop, and never changes its backup', async () => {
    const before = objects(new RegExp(`^${state().incarnation.systemId}/`)).toSorted()
    const fresh = await startBackedUpShop({ root, dataDirectory: join(root, 'fresh') })
    await fresh.protect()
    const command = `--from ${shop.settings.url} --shop ${state().incarnation.systemId}`
    expect(fresh.notices).toEqual([expect.stringContaining(command)])
    expect(objects(new RegExp(`^${state().incarnation.systemId}/`)).toSorted()).toEqual(before)
    await fresh.destroy()
  })
})
