import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { formatShopMoment } from '#domain/backup/shop-moment.ts'
import { startEmbeddedPostgres } from '@local/embedded-postgres'
import { sendRemovals } from '#server/platform/backup/removals.ts'
import { parseManifestName } from '#server/platform/backup/objects/object-names.ts'
import { parseBackupKey } from '#server/platform/backup/objects/backup-key.ts'
import type { RestoreError } from '#server/platform/backup/restore/restore-error.ts'
import type {
  RecoveredDatabase,
  RestoreOptions,
} from '#server/platform/backup/restore/prepare-recovered.ts'
import { restoreFromTarget } from '#server/platform/backup/restore/restore-from-target.ts'
import { addQuoteRequest } from '#tests/support/backup/quote-request.ts'
import { waitUntil } from '#tests/support/backup/backed-up-shop.ts'
import {
  createManagedShop,
  type ManagedProcess,
  type ManagedShop,
} from '#tests/support/backup/managed-shop.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const removal = { id: 'e1', customerId: 'c1', atMs: 5 }
let root: string
let shop: ManagedShop
let running: ManagedProcess
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'torque-restored-'))
  shop = await createManagedShop()
  writeFileSync(join(shop.dataDirectory, 'outbox', 'a.eml'), 'Hello')
  await addQuoteRequest(shop.database.owner, 'Dana')
  running = await shop.startProcess()
  await waitUntil(() => running.backup.context.state.base !== undefined)
  await addQuoteRequest(shop.database.owner, 'Walt')
  writeFileSync(join(shop.dataDirectory, 'outbox', 'b.eml'), 'Hello again')
  // The site cannot back up this file, because the file is larger than 2 GiB.
  writeFileSync(join(shop.dataDirectory, 'outbox', 'large.bin'), '')
  truncateSync(join(shop.dataDirectory, 'outbox', 'large.bin'), 2 ** 31 + 1)
  shop.passMs(86_400_000)
  await waitUntil(() => manifests().length === 2)
  await sendRemovals(running.backup.context, [removal])
})
afterAll(async () => {
  await running.stop()
  await shop.destroy()
  rmSync(root, { recursive: true, force: true })
})

const objects = (pattern: RegExp) =>
  readdirSync(shop.target, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .toSorted()
const manifests = () => objects(/manifest-\d+$/)

/** Returns the times at which the two backups at the target ended, in milliseconds since 1970. */
function ends(): readonly [number, number] {
  const [first = Number.NaN, second = Number.NaN] = manifests().map(
    (name) => parseManifestName(name)?.endedMs,
  )
  return [first, second]
}

type Change = Partial<Omit<RestoreOptions, 'key'>> & { keyText?: string }

async function restore(change: Change = {}) {
  const folder = mkdtempSync(join(root, 'shop-'))
  const prepared: RecoveredDatabase[] = []
  const steps: string[] = []
  const restored = await restoreFromTarget({
    target: running.backup.context.target,
    keyText: readFileSync(join(shop.dataDirectory, 'keys', 'backup.key'), 'utf8'),
    now: () => shop.now(),
    dataDirectory: folder,
    onStep: (sentence) => steps.push(sentence),
    prepare: async (recovered) => {
      prepared.push(recovered)
    },
    ...change,
  })
  return { restored, folder, prepared, steps }
}

const refusal = (change: Change) =>
  restore(change).then(
    () => 'restored',
    (error: RestoreError) => error.detail ?? String(error),
  )

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

describe('a restore of a logical backup', () => {
  it('restores the newest backup into an embedded database, with its files and later erasures', async () => {
    const { restored, folder, prepared } = await restore()
    expect(restored).toMatchObject({
      files: 2,
      skipped: [{ path: 'outbox/large.bin', problem: 'too large' }],
      timeZone: 'America/Los_Angeles',
    })
    expect(restored.takenMs).toBeGreaterThan(shop.now() - 600_000)
    expect(readFileSync(join(folder, 'outbox', 'b.eml'), 'utf8')).toBe('Hello again')
    expect(readdirSync(folder)).not.toContain('.restoring')
    expect(prepared).toMatchObject([{ recoveredMs: restored.takenMs, removals: [removal] }])
    expect(await readNames(folder)).toEqual(['Dana', 'Walt'])
  })

  it('uses the backup of the night before when the newest backup is damaged, and reports the damage', async () => {
    const [, newest = ''] = manifests()
    const part = join(shop.target, newest.replace(/manifest-\d+$/, 'part-000001'))
    const content = readFileSync(part)
    writeFileSync(part, content.subarray(0, -3))
    const { restored, folder, steps } = await restore()
    writeFileSync(part, content)
    expect(steps.join(' ')).toMatch(/part-000001 is damaged, so this backup is unusable/)
    expect(restored).toMatchObject({ files: 1, skipped: [] })
    expect(await readNames(folder)).toEqual(['Dana'])
  })

  it('never restores an interrupted backup', async () => {
    const [, newest = ''] = manifests()
    const manifest = join(shop.target, newest)
    const content = readFileSync(manifest)
    rmSync(manifest)
    const { folder } = await restore()
    writeFileSync(manifest, content)
    expect(await readNames(folder)).toEqual(['Dana'])
  })

  it('to a given time restores the newest backup that ended before that time, and reports the time of this backup', async () => {
    const [first, second] = ends()
    const before = await restore({ at: new Date(second - 1).toISOString() })
    expect(await readNames(before.folder)).toEqual(['Dana'])
    expect(before.restored.takenMs).toBeLessThanOrEqual(first)
    expect(before.steps[0]).toBe(
      `Restoring the nightly backup of ${formatShopMoment(before.restored.takenMs ?? 0, 'America/Los_Angeles')} …`,
    )
    const after = await restore({ at: new Date(second).toISOString() })
    expect(await readNames(after.folder)).toEqual(['Dana', 'Walt'])
  })

  it('is refused for a time before the first backup or in the future', async () => {
    const [firstMs] = ends()
    const timeZone = 'America/Los_Angeles'
    expect(await refusal({ at: new Date(firstMs - 1).toISOString() })).toEqual({
      reason: 'before the first copy',
      firstMs,
      timeZone,
    })
    const future = new Date(shop.now() + 60_000).toISOString()
    expect(await refusal({ at: future })).toMatchObject({ reason: 'future', timeZone })
    expect(await refusal({ at: 'yesterday' })).toEqual({ reason: 'invalid time' })
  })

  it('is refused with another backup key', async () => {
    const keyText = 'w'.repeat(43)
    const key = parseBackupKey(keyText)
    expect(await refusal({ keyText })).toEqual({
      reason: 'wrong key',
      own: key.fingerprint,
      made: running.backup.context.key.fingerprint,
    })
  })
})
