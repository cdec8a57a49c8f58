import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startEmbeddedPostgres } from '@local/embedded-postgres'
import { formatShopMoment } from '#domain/backup/shop-moment.ts'
import { parseBackupKey } from '#server/platform/backup/objects/backup-key.ts'
import type { BaseManifest } from '#server/platform/backup/base/manifest.ts'
import { openSealedStore } from '#server/platform/backup/objects/sealed-store.ts'
import { openFolderTarget } from '#server/platform/backup/target/folder-target.ts'
import {
  type BackedUpShop,
  startBackedUpShop,
  waitUntil,
} from '#tests/support/backup/backed-up-shop.ts'
import { describeRefusal } from '#server/commands/restore/describe-refusal.ts'
import type { RestoreError, RestoreRefusal } from './restore-error.ts'
import type { RestoredShop } from './prepare-recovered.ts'
import { restoreFromTarget } from './restore-from-target.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const zone = 'America/Los_Angeles'
let root: string
let target: string
let key: string
let reports: readonly string[]
/** A moment after the insert of the rows and before their deletion, in milliseconds since 1970. */
let beforeDeletionMs: number

const addQuote = (shop: BackedUpShop, name: string) =>
  shop.owner.query(
    `insert into public.quote_requests (name, email, vehicle_year, vehicle_make, vehicle_model, description)
     values ($1, 'dana@example.com', '2019', 'Subaru', 'Outback', 'It rattles.')`,
    [name],
  )
const clockMs = async (shop: BackedUpShop) => {
  const { rows } = await shop.owner.query<{ ms: string }>(
    `select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms`,
  )
  return Number(rows[0]?.ms)
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'torque-restore-'))
  const shop = await startBackedUpShop({ root })
  target = shop.target
  mkdirSync(join(shop.dataDirectory, 'outbox'))
  writeFileSync(join(shop.dataDirectory, 'outbox', 'first.eml'), 'Hello')
  await addQuote(shop, 'Dana')
  await shop.protect()
  await addQuote(shop, 'Walt')
  writeFileSync(join(shop.dataDirectory, 'outbox', 'second.eml'), 'Hello again')
  await waitUntil(() => 'outbox/second.eml' in shop.backup.context.state.files)
  // The owner types the moment of a restore in whole seconds. The test therefore deletes the rows only after the next
  // whole second.
  beforeDeletionMs = (Math.floor((await clockMs(shop)) / 1000) + 1) * 1000
  await waitUntil(async () => (await clockMs(shop)) > beforeDeletionMs + 50)
  await shop.owner.query('delete from public.quote_requests')
  await shop.sendLog()
  key = readFileSync(join(shop.dataDirectory, 'keys', 'backup.key'), 'utf8')
  reports = shop.reports
  await shop.destroy()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Given = {
  at?: string
  key?: string
  folder?: string
  now?: number
  source?: string
  prepare?: () => Promise<void>
}

async function restore(given: Given = {}): Promise<{ restored: RestoredShop; folder: string }> {
  const folder = given.folder ?? mkdtempSync(join(root, 'restored-'))
  const restored = await restoreFromTarget({
    target: openFolderTarget(given.source ?? target, 'file:///target'),
    keyText: given.key ?? key,
    at: given.at,
    now: () => given.now ?? Date.now(),
    dataDirectory: folder,
    onStep: () => undefined,
    prepare: given.prepare ?? (() => Promise.resolve()),
  })
  return { restored, folder }
}

async function refusal(given: Given): Promise<RestoreRefusal | string> {
  return restore(given).then(
    () => 'restored',
    (error: RestoreError) => error.detail ?? String(error),
  )
}

async function readNames(folder: string): Promise<string[]> {
  const server = await startEmbeddedPostgres({ dataDirectory: folder, durable: false })
  const client = new Client({ connectionString: server.ownerUrl })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    'select name from public.quote_requests order by name',
  )
  await client.end()
  await server.stop()
  return rows.map(({ name }) => name)
}

describe('a restore from a target', () => {
  it('begins with a backup that reported no failure', () => {
    expect(reports).toEqual([])
  })

  it('restores the last committed state with its files', async () => {
    const { restored, folder } = await restore()
    expect(restored).toMatchObject({ isEndOfLog: true, timeZone: zone, files: 2 })
    expect(restored.lastCommitMs).toBeGreaterThan(beforeDeletionMs)
    expect(readFileSync(join(folder, 'outbox', 'second.eml'), 'utf8')).toBe('Hello again')
    expect(readdirSync(folder)).not.toContain('.restoring')
    expect(readFileSync(join(folder, 'keys', 'backup.key'), 'utf8')).toBe(key)
    expect(await readNames(folder)).toEqual([])
  })

  it('restores rows that were deleted a second after the requested time', async () => {
    const { restored, folder } = await restore({ at: formatShopMoment(beforeDeletionMs, zone) })
    expect(restored.isEndOfLog).toBe(false)
    expect(restored.lastCommitMs).toBeLessThanOrEqual(beforeDeletionMs)
    expect(await readNames(folder)).toEqual(['Dana', 'Walt'])
  })

  it('recovers everything when the requested time is after the last commit', async () => {
    const { restored, folder } = await restore({ at: formatShopMoment(Date.now(), zone) })
    expect(restored.isEndOfLog).toBe(true)
    expect(restored.lastCommitMs).toBeGreaterThan(beforeDeletionMs)
    expect(await readNames(folder)).toEqual([])
  })
})

describe('a restore is refused', () => {
  it('into a folder that contains anything but the backup key', async () => {
    const folder = mkdtempSync(join(root, 'used-'))
    writeFileSync(join(folder, 'letter.txt'), 'mine')
    expect(await refusal({ folder })).toEqual({
      reason: 'folder in use',
      folder,
      entries: ['letter.txt'],
    })
    expect(readdirSync(folder)).toEqual(['letter.txt'])
  })

  it('with another backup key, and the message contains the fingerprint of the correct key', async () => {
    const own = parseBackupKey('another key of the shop'.repeat(2)).fingerprint
    const made = parseBackupKey(key).fingerprint
    const given = { key: 'another key of the shop'.repeat(2) }
    expect(await refusal(given)).toEqual({ reason: 'wrong key', own, made })
  })

  it('for a time before the first base backup, for a future time, and for a time that occurs twice when daylight-saving time ends', async () => {
    expect(await refusal({ at: '2026-01-01 10:00' })).toMatchObject({
      reason: 'before the first copy',
      timeZone: zone,
    })
    expect(await refusal({ at: '2090-01-01 10:00' })).toMatchObject({
      reason: 'future',
      nowMs: expect.any(Number),
      timeZone: zone,
    })
    const twice = await refusal({ at: '2026-11-01 01:30' })
    expect(twice).toMatchObject({ reason: 'ambiguous time' })
    for (const offset of ['-07:00', '-08:00'])
      expect(typeof twice === 'string' ? twice : describeRefusal(twice)).toContain(
        `--at '2026-11-01 01:30:00 ${offset}'`,
      )
    expect(await refusal({ at: 'yesterday' })).toEqual({ reason: 'invalid time' })
  })

  it('before it writes anything when the disk has too little space', async () => {
    const { source, object } = damage(/manifest-\d+$/, () => undefined)
    const store = openSealedStore(openFolderTarget(source, 'file:///target'), parseBackupKey(key))
    const manifest = JSON.parse((await store.read(object)).toString()) as BaseManifest
    const clusterBytes = 1e17
    await store.write(object, Buffer.from(JSON.stringify({ ...manifest, clusterBytes })))
    const folder = mkdtempSync(join(root, 'small-'))
    const refused = await refusal({ source, folder })
    expect(refused).toMatchObject({ reason: 'no room', freeBytes: expect.any(Number), folder })
    const { neededBytes } = refused as Extract<RestoreRefusal, { reason: 'no room' }>
    // The restore requires a fifth more space than the cluster. The write-ahead log and the files of the data directory
    // add only a little.
    expect(neededBytes / clusterBytes).toBeCloseTo(1.2)
    expect(readdirSync(folder)).toEqual([])
  })

  it('when the disk becomes full during the restore; partial files are then removed', async () => {
    const folder = mkdtempSync(join(root, 'full-'))
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
    })
    expect(await refusal({ folder, prepare: () => Promise.reject(full) })).toEqual({
      reason: 'disk full',
    })
    expect(readdirSync(folder)).toEqual([])
  })

  it('from a target without a backup', async () => {
    const source = mkdtempSync(join(root, 'empty-'))
    expect(await refusal({ source })).toEqual({ reason: 'nothing there' })
  })
})

/** Copies the backup target and changes one object in the copy. */
function damage(
  pattern: RegExp,
  change: (path: string) => void,
): { source: string; object: string } {
  const source = mkdtempSync(join(root, 'damaged-'))
  cpSync(target, source, { recursive: true })
  const objects = readdirSync(source, { recursive: true, encoding: 'utf8' }).sort()
  const object = objects.findLast((name) => pattern.test(name)) ?? 'no such object'
  change(join(source, object))
  return { source, object }
}

const truncate = (path: string) => writeFileSync(path, readFileSync(path).subarray(0, -20))
const flipBit = (path: string) => {
  const content = readFileSync(path)
  const middle = Math.floor(content.length / 2)
  content[middle] = (content[middle] ?? 0) ^ 1
  writeFileSync(path, content)
}

describe('a damaged backup', () => {
  it.each([
    ['a truncated part of the full copy', /part-\d+$/, truncate, 'damaged'],
    ['a flipped bit in the full copy', /part-\d+$/, flipBit, 'damaged'],
    ['a missing part of the full copy', /part-\d+$/, rmSync, 'missing'],
    ['a flipped bit in the manifest', /manifest-\d+$/, flipBit, 'damaged'],
    ['a truncated piece of the log', /log\/\w+-\d+$/, truncate, 'damaged'],
    ['a missing copy of a file', /files\/\d+$/, truncate, 'damaged'],
  ] as const)(
    'is reported with the name of the damaged object, and the shop does not start: %s',
    async (_what, pattern, change, problem) => {
      const { source, object } = damage(pattern, change)
      const folder = mkdtempSync(join(root, 'refused-'))
      expect(await refusal({ source, folder })).toMatchObject({
        reason: 'unusable object',
        object,
        problem,
      })
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it('can be restored up to the time that the refusal states, before the damaged log segment', async () => {
    const { source } = damage(/log\/\w+-\d+$/, flipBit)
    const refused = await refusal({ source })
    const lastGoodMs = (refused as { lastGoodMs?: number }).lastGoodMs ?? 0
    const { folder } = await restore({ source, at: formatShopMoment(lastGoodMs, zone, true) })
    expect(await readNames(folder)).toEqual(['Dana'])
  })
})
