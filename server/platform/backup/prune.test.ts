import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BackupContext } from './backup-context.ts'
import type { BaseManifest } from './base/manifest.ts'
import { beginState } from './begin-state.ts'
import { parseBackupKey } from './objects/backup-key.ts'
import { incarnationFolder, objectNames } from './objects/object-names.ts'
import { openSealedStore } from './objects/sealed-store.ts'
import { createRoomMaker, pruneAndMeasure, pruneTarget } from './prune.ts'
import { openFolderTarget } from './target/folder-target.ts'
import { TargetError } from './target/target.ts'

const dayMs = 86_400_000
const now = Date.parse('2026-12-31T12:00:00Z')
const daysAgo = (days: number) => now - days * dayMs

let folder: string
let context: BackupContext
let nowMs: number
beforeEach(() => {
  nowMs = now
  folder = mkdtempSync(join(tmpdir(), 'torque-prune-'))
  const key = parseBackupKey('k'.repeat(43))
  const target = openFolderTarget(folder, 'file:///target')
  const state = beginState({ systemId: '7', timeline: 1 }, key, 'file:///target', 'switched on')
  const store = openSealedStore(target, key)
  context = {
    target,
    store,
    key,
    state,
    dataDirectory: join(folder, '..', `${basename(folder)}-data`),
    ownerUrl: '',
    backend: 'own',
    spool: '',
    now: () => nowMs,
  }
})
afterEach(() => {
  for (const path of [folder, context.dataDirectory]) rmSync(path, { recursive: true, force: true })
})

const segment = (number: number) => `00000001000000000000000${number}`

async function addBase(
  base: number,
  days: number,
  fileNumber: number,
  inside: string,
): Promise<void> {
  const file = { number: fileNumber, parts: 1, bytes: 1, sha256: '', changedMs: 0 }
  const manifest: Partial<BaseManifest> = {
    startSegment: segment(base),
    files: { 'outbox/a.eml': file },
    nextFile: fileNumber + 1,
  }
  await context.store.write(inside + objectNames.basePart(base, 1), Buffer.from('part'))
  await context.store.write(
    inside + objectNames.manifest(base, daysAgo(days)),
    Buffer.from(JSON.stringify(manifest)),
  )
  await context.store.write(inside + objectNames.file(fileNumber), Buffer.from('file'))
  await context.store.write(
    inside + objectNames.segment(segment(base), daysAgo(days)),
    Buffer.from('log'),
  )
}

const left = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()

it('the cleanup of the target keeps the objects that a restore to any second of the kept days needs, and removes older objects', async () => {
  const own = incarnationFolder(context.state.incarnation)
  for (const [base, days] of [
    [1, 40],
    [2, 31],
    [3, 20],
    [4, 1],
  ] as const)
    await addBase(base, days, base, own)
  await pruneTarget(context, 30)
  // The shop must remain restorable to each of the last thirty days, and the second base backup is the newest one
  // before these days. Pruning therefore removes only the first base backup.
  expect(left().filter((name) => name.includes('/00000001/') || name.includes(segment(1)))).toEqual(
    [],
  )
  for (const base of [2, 3, 4]) {
    expect(left()).toContain(own + objectNames.basePart(base, 1))
    expect(left()).toContain(
      own + objectNames.segment(segment(base), daysAgo([40, 31, 20, 1][base - 1] ?? 0)),
    )
    expect(left()).toContain(own + objectNames.file(base))
  }
  expect(left()).not.toContain(own + objectNames.file(1))
})

it('the cleanup of the target removes other incarnations (backup histories) of this shop once they are too old, and never those of another shop', async () => {
  await addBase(1, 40, 1, '7/1-aaaaaaaaaaaa/')
  await addBase(1, 20, 1, '7/1-bbbbbbbbbbbb/')
  await addBase(1, 40, 1, '8/1-cccccccccccc/')
  await pruneTarget(context, 30)
  expect(new Set(left().map((name) => name.split('/')[1]))).toEqual(
    new Set(['1-bbbbbbbbbbbb', '1-cccccccccccc']),
  )
})

it('the cleanup of the target removes an old incarnation (backup history) without a full copy and without log segments, unless another process has reserved its folder', async () => {
  const claim = (inside: string, number: number, days: number) =>
    context.target.put(
      inside + objectNames.claim(number),
      Buffer.from(JSON.stringify({ token: 'a', atMs: daysAgo(days) })),
    )
  const folder = (id: string) => `7/1-${id.repeat(12)}/`
  const [old, live, unknown, full] = [folder('a'), folder('b'), folder('c'), folder('d')]
  for (const inside of [old, live, unknown])
    await context.store.write(inside + objectNames.file(1), Buffer.from('file'))
  await claim(old, 1, 40)
  await claim(old, 2, 31)
  await claim(live, 1, 40)
  await claim(live, 2, 29)
  await context.target.put(unknown + objectNames.claim(1), Buffer.from('of an earlier version'))
  // The newest data in this folder is old, because the backup target was full, but the process that owns the folder
  // still renews its claim (the record that reserves the folder).
  await addBase(1, 40, 1, full)
  await claim(full, 1, 0)
  await pruneTarget(context, 30)
  expect(new Set(left().map((name) => `${name.split('/').slice(0, 2).join('/')}/`))).toEqual(
    new Set([live, unknown, full]),
  )
})

it('the cleanup of the target removes ownership claims (records that reserve a folder) that are older than all base backups, and keeps the newest claims', async () => {
  const own = incarnationFolder(context.state.incarnation)
  const numbers = [1, 279, 280, 281, 1000]
  for (const number of numbers)
    await context.target.put(own + objectNames.claim(number), Buffer.from('{}'))
  context.state.claim = 1000
  await pruneTarget(context, 30)
  expect(left()).toEqual([280, 281, 1000].map((number) => own + objectNames.claim(number)))
})

it('the cleanup of the target records the end of the oldest remaining base backup; every second after that end can be restored', async () => {
  const own = incarnationFolder(context.state.incarnation)
  await addBase(1, 40, 1, own)
  await addBase(2, 31, 2, own)
  await addBase(1, 35, 1, '7/1-bbbbbbbbbbbb/')
  await pruneAndMeasure(context, 30, (error) => expect.unreachable(String(error)))
  expect(context.state).toMatchObject({ oldestMs: daysAgo(31), isDeletionRefused: false })
  expect(context.state.targetBytes).toBeGreaterThan(0)
})

describe('isDeletionRefused in the state of the backup', () => {
  const reports: unknown[] = []
  beforeEach(() => reports.splice(0))
  const prune = () => pruneAndMeasure(context, 30, (error) => reports.push(error))
  const own = () => incarnationFolder(context.state.incarnation)
  /** Adds two base backups, of which pruning removes the older one. */
  async function addOutdated() {
    await addBase(1, 40, 1, own())
    await addBase(2, 31, 2, own())
  }
  const failToRemove = (error: Error) => vi.spyOn(context.target, 'remove').mockRejectedValue(error)

  it('is true after the target refused a deletion, until a deletion succeeds', async () => {
    await addOutdated()
    failToRemove(new TargetError('refused', 'The bucket responded with status 403 AccessDenied.'))
    await prune()
    expect(context.state.isDeletionRefused).toBe(true)
    vi.restoreAllMocks()
    await prune()
    expect(context.state.isDeletionRefused).toBe(false)
    expect(reports).toHaveLength(1)
  })

  it('does not become true when the target does not respond', async () => {
    await addOutdated()
    failToRemove(new TargetError('unreachable', 'The bucket does not respond (TimeoutError).'))
    await prune()
    expect(context.state.isDeletionRefused).not.toBe(true)
    expect(reports).toHaveLength(1)
  })

  it('keeps its former value when a damaged manifest prevents deletions', async () => {
    await addOutdated()
    const manifest = own() + objectNames.manifest(2, daysAgo(31))
    await context.target.put(manifest, Buffer.from('damaged'))
    await prune()
    expect(context.state.isDeletionRefused).not.toBe(true)
    context.state.isDeletionRefused = true
    await prune()
    expect(context.state.isDeletionRefused).toBe(true)
    expect(reports).toHaveLength(2)
  })
})

it('the backup deletes old objects when the target is full, at most once an hour, and not after any other failure', async () => {
  const reports: unknown[] = []
  const makeRoom = createRoomMaker(context, 30, (error) => reports.push(error))
  const full = new TargetError('full', 'The target is full.')
  const addOld = () => addBase(1, 40, 1, '7/1-aaaaaaaaaaaa/')
  const hasOld = () => left().some((name) => name.includes('/1-aaaaaaaaaaaa/'))
  await addOld()
  await makeRoom(new TargetError('unreachable', 'No answer.'))
  await makeRoom(new Error('a bug'))
  expect(hasOld()).toBe(true)
  await makeRoom(full)
  expect(hasOld()).toBe(false)
  await addOld()
  await makeRoom(full)
  expect(hasOld()).toBe(true)
  nowMs += 3_600_000
  await makeRoom(full)
  expect(hasOld()).toBe(false)
  expect(reports).toEqual([])
})
