import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import { decodeFileObject, type FileHeader } from '#server/platform/backup/files/file-object.ts'
import type { SkippedFile } from '#server/platform/backup/files/skipped-file.ts'
import { isBackedUp } from '#server/platform/backup/files/shop-files.ts'
import type { BaseManifest } from '#server/platform/backup/base/manifest.ts'
import { objectNames } from '#server/platform/backup/objects/object-names.ts'
import { ObjectError, type SealedStore } from '#server/platform/backup/objects/sealed-store.ts'
import type { KeptFile } from '#server/platform/backup/state.ts'
import type { StoredCopy } from './inventory.ts'
import { notNeededBeforeMs } from './last-good.ts'

type Copy = Pick<KeptFile, 'number' | 'parts' | 'sha256' | 'storedBytes'>

/** The copy of each file that was current at the restored moment, by the path of the file. */
type FilesAt = ReadonlyMap<string, Copy>

export type FoundFiles = {
  readonly files: FilesAt
  /** The files whose newest version at the restored moment is missing in the backup. */
  readonly skipped: readonly SkippedFile[]
}

/**
 * Finds the copy of each file that was the newest one at the moment `atMs`: the copy that the base backup lists, or a
 * later one. Throws `ObjectError` for an unusable copy, unless the copy was certainly made after the moment.
 */
export async function findFiles(
  store: SealedStore,
  copy: StoredCopy,
  manifest: Pick<BaseManifest, 'files' | 'nextFile' | 'skippedFiles'>,
  atMs: number | undefined,
): Promise<FoundFiles> {
  const files = new Map<string, Copy>(Object.entries(manifest.files))
  const skipped = new Map(manifest.skippedFiles?.map((file) => [file.path, file]))
  const last = copy.files.at(-1)?.number ?? 0
  let parts = 0
  for (let number = manifest.nextFile; number <= last; number += 1) {
    const header = await readHeader(store, copy, number, atMs)
    if (!header) continue
    // An interrupted file copy lacks its last part and is ignored; the process later made a complete copy of the same
    // file.
    if (header.part !== undefined) parts = header.part === 0 ? 1 : parts + 1
    if (atMs !== undefined && header.atMs > atMs) continue
    const { path } = header
    if (header.skipped) {
      skipped.set(path, { path, problem: header.skipped })
      continue
    }
    if (!header.removed && parts !== header.parts) continue
    skipped.delete(path)
    if (header.removed) files.delete(path)
    else files.set(path, { ...header, number: number - parts + 1 })
  }
  return { files, skipped: [...skipped.values()] }
}

/** Returns the header of a file copy; undefined for an unusable copy that is certainly later than `atMs`. */
async function readHeader(
  store: SealedStore,
  copy: StoredCopy,
  number: number,
  atMs: number | undefined,
): Promise<FileHeader | undefined> {
  try {
    return decodeFileObject(await store.read(copy.folder + objectNames.file(number))).header
  } catch (error) {
    if (!(error instanceof ObjectError) || atMs === undefined) throw error
    const notNeededMs = (await notNeededBeforeMs(store, copy, number)) ?? 0
    if (atMs <= notNeededMs) return undefined
    throw error
  }
}

/**
 * Writes the files into `folder` and returns their number. Throws for a path that is outside the folder or that backups
 * omit. Throws `ObjectError` when the content of a copy does not match its checksum.
 */
export async function writeFiles(
  store: SealedStore,
  copy: StoredCopy,
  files: FilesAt,
  folder: string,
): Promise<number> {
  for (const [path, { number, parts, sha256 }] of files) {
    const target = resolve(folder, path)
    if (!target.startsWith(folder + sep) || !isBackedUp(path)) {
      throw new Error('The backup contains a file path outside the data directory.')
    }
    const content = await readParts(store, copy, number, parts)
    if (createHash('sha256').update(content).digest('hex') !== sha256) {
      throw new ObjectError(copy.folder + objectNames.file(number), { reason: 'damaged' })
    }
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await writeFile(target, content, { mode: 0o600, flush: true })
  }
  return files.size
}

/** Reads the content of a file's copy from its objects. */
export async function readParts(
  store: SealedStore,
  copy: Pick<StoredCopy, 'folder'>,
  number: number,
  parts: number,
): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let part = 0; part < parts; part += 1) {
    const object = await store.read(copy.folder + objectNames.file(number + part))
    pieces.push(decodeFileObject(object).content)
  }
  return Buffer.concat(pieces)
}
