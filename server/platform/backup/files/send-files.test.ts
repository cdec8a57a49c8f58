import { mkdirSync, mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import fileSystem from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BackupContext } from '#server/platform/backup/backup-context.ts'
import { beginState } from '#server/platform/backup/begin-state.ts'
import { parseBackupKey } from '#server/platform/backup/objects/backup-key.ts'
import { openSealedStore } from '#server/platform/backup/objects/sealed-store.ts'
import { listCopies } from '#server/platform/backup/restore/inventory.ts'
import { findFiles } from '#server/platform/backup/restore/restore-files.ts'
import { openFolderTarget } from '#server/platform/backup/target/folder-target.ts'
import { sendChangedFiles } from './send-files.ts'

/**
 * The paths that the file system refuses to read. The test does not use file permissions, because the user root may
 * read every file.
 */
const refused = new Set<string>()
const { readFile, readdir } = fileSystem
const refusing =
  (read: (...args: never[]) => unknown) =>
  (...args: unknown[]) => {
    if (!refused.has(String(args[0]))) return Reflect.apply(read, fileSystem, args)
    return Promise.reject(Object.assign(new Error('refused'), { code: 'EACCES' }))
  }
beforeAll(() => {
  // Replaces Node's `readFile` and `readdir`, even in modules that an earlier test file has already loaded.
  Object.assign(fileSystem, { readFile: refusing(readFile), readdir: refusing(readdir) })
  syncBuiltinESMExports()
})
afterAll(() => {
  Object.assign(fileSystem, { readFile, readdir })
  syncBuiltinESMExports()
})

const largeBytes = 2 ** 31 + 1
const nextFile = 1

let root: string
let context: BackupContext
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'torque-files-'))
  const folder = join(root, 'target')
  const dataDirectory = join(root, 'data')
  mkdirSync(folder)
  mkdirSync(join(dataDirectory, 'photos', 'old'), { recursive: true })
  writeFileSync(join(dataDirectory, 'photos', 'a.jpg'), 'a')
  writeFileSync(join(dataDirectory, 'photos', 'old', 'b.jpg'), 'b')
  const key = parseBackupKey('k'.repeat(43))
  const target = openFolderTarget(folder, 'file:///target')
  const state = beginState({ systemId: '7', timeline: 1 }, key, 'file:///target', 'switched on')
  const store = openSealedStore(target, key)
  const shop = { dataDirectory, ownerUrl: '', backend: 'own', spool: '' } as const
  context = { target, store, key, state, ...shop, now: Date.now }
})
afterEach(() => {
  refused.clear()
  rmSync(root, { recursive: true, force: true })
})

const inData = (path: string) => join(context.dataDirectory, path)
const send = () => sendChangedFiles(context, new AbortController().signal)
/** Lists the files that a restore finds at the backup target. */
async function findAtTarget(atMs?: number) {
  const [copy] = await listCopies(context.target, '7')
  if (!copy) throw new Error('The target is empty.')
  const found = await findFiles(context.store, copy, { files: {}, nextFile }, atMs)
  return { files: [...found.files.keys()].toSorted(), skipped: found.skipped }
}
const unreadable = (path: string) => ({ path, problem: 'unreadable' })

describe('a file that the site cannot read', () => {
  it('is recorded at the backup target and does not stop the upload of other files', async () => {
    refused.add(inData('photos/a.jpg'))
    truncateSync(inData('photos/old/b.jpg'), largeBytes)
    writeFileSync(inData('photos/c.jpg'), 'c')
    await send()
    expect(context.state.skippedFiles).toEqual({
      'photos/a.jpg': 'unreadable',
      'photos/old/b.jpg': 'too large',
    })
    expect(await findAtTarget()).toEqual({
      files: ['photos/c.jpg'],
      skipped: [unreadable('photos/a.jpg'), { path: 'photos/old/b.jpg', problem: 'too large' }],
    })
  })

  it('is recorded once, and the record is removed after the file was sent or deleted', async () => {
    refused.add(inData('photos/a.jpg'))
    refused.add(inData('photos/old/b.jpg'))
    await send()
    const { nextFile } = context.state
    await send()
    expect(context.state.nextFile).toBe(nextFile)
    refused.clear()
    rmSync(inData('photos/old/b.jpg'))
    await send()
    expect(context.state.skippedFiles).toEqual({})
    expect(await findAtTarget()).toEqual({ files: ['photos/a.jpg'], skipped: [] })
  })

  it('keeps its last readable version at the target, and is not reported by a restore to a moment at which it was readable', async () => {
    await send()
    const changedMs = Date.now() + 60_000
    writeFileSync(inData('photos/a.jpg'), 'changed')
    utimesSync(inData('photos/a.jpg'), changedMs / 1000, changedMs / 1000)
    refused.add(inData('photos/a.jpg'))
    await send()
    const files = ['photos/a.jpg', 'photos/old/b.jpg']
    expect(await findAtTarget()).toEqual({ files, skipped: [unreadable('photos/a.jpg')] })
    expect(await findAtTarget(changedMs - 1000)).toEqual({ files, skipped: [] })
  })

  it('is not recorded when the target has its current version', async () => {
    await send()
    refused.add(inData('photos/a.jpg'))
    await send()
    expect(context.state.skippedFiles).toEqual({})
  })
})

describe('a folder that the site cannot read', () => {
  it('is recorded, and its files do not count as removed', async () => {
    await send()
    refused.add(inData('photos/old/'))
    refused.add(inData('photos/old'))
    await send()
    const files = ['photos/a.jpg', 'photos/old/b.jpg']
    expect(await findAtTarget()).toEqual({ files, skipped: [unreadable('photos/old')] })
    refused.clear()
    await send()
    expect(await findAtTarget()).toEqual({ files, skipped: [] })
  })
})
