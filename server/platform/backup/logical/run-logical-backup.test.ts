import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { incarnationFolder } from '#server/platform/backup/objects/object-names.ts'
import { waitUntil } from '#tests/support/backup/backed-up-shop.ts'
import {
  createManagedShop,
  type ManagedProcess,
  type ManagedShop,
} from '#tests/support/backup/managed-shop.ts'
import { listLogical } from './open-logical-copy.ts'
import { sendLogicalBackup } from './send-logical.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const dayMs = 86_400_000

let shop: ManagedShop
let running: ManagedProcess
beforeAll(async () => {
  shop = await createManagedShop()
  writeFileSync(join(shop.dataDirectory, 'outbox', 'a.eml'), 'To: dana@example.com')
  running = await shop.startProcess()
  await waitUntil(() => objects(/manifest-/).length === 1)
})
afterAll(async () => {
  await running.stop()
  await shop.destroy()
})

const objects = (pattern: RegExp) =>
  readdirSync(shop.target, { recursive: true, encoding: 'utf8' }).filter((name) =>
    pattern.test(name),
  )
const context = () => running.backup.context
const backups = () => listLogical(context().target, context().state.incarnation.systemId)

describe('the first start with a managed database', () => {
  it('sends a full backup and an ownership claim (the record that reserves the folder) to the target, and archives no write-ahead log', async () => {
    expect(objects(/^torque-and-timing\.json$/)).toHaveLength(1)
    expect(objects(/claims\/00000001$/)).toHaveLength(1)
    expect(objects(/\/log\//)).toEqual([])
    expect(objects(/\/files\/\d+$/)).toHaveLength(1)
    expect(await backups()).toHaveLength(1)
    await waitUntil(() => running.backup.progress().protectedMs !== undefined)
    expect(existsSync(join(shop.dataDirectory, 'postgresql'))).toBe(false)
    expect(shop.reports).toEqual([])
  })

  it('sends only objects that cannot be read without the backup key', () => {
    for (const name of objects(/\/(part|manifest)-\d+$|\/files\/\d+$/)) {
      const content = readFileSync(join(shop.target, name), 'latin1')
      expect(content).not.toMatch(/dana@example|outbox|public\.shop/)
    }
  })
})

describe('the backup of the next night', () => {
  it('is made after 3:00 AM, once, and contains the changed files', async () => {
    writeFileSync(join(shop.dataDirectory, 'outbox', 'b.eml'), 'To: sam@example.com')
    shop.passMs(dayMs)
    await waitUntil(async () => (await backups()).length === 2)
    await waitUntil(() => (context().state.base?.startedMs ?? 0) > shop.now() - dayMs / 2)
    expect(objects(/\/files\/\d+$/)).toHaveLength(2)
    // An hour later, the process renews its claim (the record that reserves its folder at the target), which shows that
    // the process has checked the target again.
    const { claim } = context().state
    shop.passMs(3_700_000)
    await waitUntil(() => context().state.claim === claim + 1)
    expect(await backups()).toHaveLength(2)
  })

  it('is made later if the target does not respond', async () => {
    renameSync(shop.target, `${shop.target}-away`)
    shop.passMs(dayMs)
    await waitUntil(() => running.backup.progress().problem?.problem === 'unreachable')
    renameSync(`${shop.target}-away`, shop.target)
    await waitUntil(() => running.backup.progress().problem === undefined)
    expect(await backups()).toHaveLength(3)
  })

  it('is made again within an hour when somebody removes it from the target', async () => {
    const [newest, ...older] = await backups()
    rmSync(dirname(join(shop.target, newest?.base.name ?? '')), { recursive: true })
    expect(running.backup.progress().protectedMs).toBe(context().state.base?.startedMs)
    shop.passMs(3_700_000)
    await waitUntil(async () => (await backups()).length === older.length + 1)
    await waitUntil(() => running.backup.progress().protectedMs !== undefined)
    const [again] = await backups()
    expect(again?.base.endedMs).toBe(context().state.base?.endedMs)
    expect(again?.base.endedMs).toBeGreaterThan(newest?.base.endedMs ?? 0)
    // The new backup counts as unproven until a later restore drill (a test of the backup) succeeds.
    expect(context().state.unprovenSinceMs).toBe(again?.base.endedMs)
  })

  it('counts as incomplete when it is interrupted', async () => {
    const before = await backups()
    const stopping = new AbortController()
    const { store } = context()
    const parts: string[] = []
    const write = async (name: string, content: Buffer) => {
      parts.push(name)
      stopping.abort(new Error('stopped'))
      return store.write(name, content)
    }
    const interrupted = { ...context(), store: { ...store, write } }
    await expect(sendLogicalBackup(interrupted, stopping.signal)).rejects.toThrow('stopped')
    expect(parts.length).toBeGreaterThan(0)
    expect(objects(/\/part-\d+$/)).toHaveLength(before.length + 1)
    expect(await backups()).toEqual(before)
  })
})

describe('two processes of a shop', () => {
  it('make only one backup a night; when the first process ends, the second makes the backups', async () => {
    const second = await shop.startProcess()
    await waitUntil(() => second.backup.progress().protectedMs !== undefined)
    expect(second.backup.isElsewhere?.()).toBe(true)
    const before = await backups()
    const folder = incarnationFolder(context().state.incarnation)
    shop.passMs(dayMs)
    await waitUntil(async () => (await backups()).length === before.length + 1)
    await running.stop()
    await waitUntil(() => second.backup.isElsewhere?.() === false)
    running = second
    shop.passMs(dayMs)
    await waitUntil(async () => (await backups()).length === before.length + 2)
    expect(new Set((await backups()).map(({ copy }) => copy.folder))).toEqual(new Set([folder]))
    expect(shop.reports).toEqual([])
  })
})

describe('old backups', () => {
  it('are deleted, except those of the days to be kept and the newest one before these days', async () => {
    const [newest] = await backups()
    expect((await backups()).length).toBeGreaterThan(2)
    shop.passMs(40 * dayMs)
    await waitUntil(
      async () => objects(/\/part-\d+$/).length === 2 && (await backups()).length === 2,
    )
    expect((await backups())[1]).toEqual(
      expect.objectContaining({ base: expect.objectContaining({ name: newest?.base.name }) }),
    )
    expect(objects(/\/files\/\d+$/)).toHaveLength(2)
    expect(shop.reports).toEqual([])
  })
})
