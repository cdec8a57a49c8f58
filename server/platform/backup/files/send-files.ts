import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BackupContext, changeState, nameIn } from '#server/platform/backup/backup-context.ts'
import { objectNames } from '#server/platform/backup/objects/object-names.ts'
import type { KeptFile } from '#server/platform/backup/state.ts'
import { encodeFileObject } from './file-object.ts'
import { isBackedUp, listShopFiles, type ShopFile } from './shop-files.ts'

/** The maximum size of an object's content; a larger file is split into several objects. */
const partBytes = 8 * 1024 * 1024

/** Copies each new or changed file of the data directory to the target, and records each removed file there. */
export async function sendChangedFiles(context: BackupContext, signal: AbortSignal): Promise<void> {
  const files = await listShopFiles(context.dataDirectory)
  const before = context.state.nextFile
  try {
    for (const file of files) {
      if (signal.aborted) return
      await sendFile(context, file)
    }
    const present = new Set(files.map(({ path }) => path))
    for (const path of Object.keys(context.state.files)) {
      if (!signal.aborted && !present.has(path)) await noteRemoval(context, path)
    }
  } finally {
    // The state is saved once for all files. After a crash, the copies are made again under the same numbers.
    if (context.state.nextFile !== before) changeState(context, {})
  }
}

/** Copies the file unless the target already has this version of it. */
async function sendFile(context: BackupContext, file: ShopFile): Promise<void> {
  const { state, dataDirectory } = context
  const kept = state.files[file.path]
  if (!isBackedUp(file.path)) return
  if (kept?.changedMs === file.changedMs && kept.bytes === file.bytes) return
  const content = await readUnlessRemoved(join(dataDirectory, file.path))
  if (!content) return
  const sha256 = createHash('sha256').update(content).digest('hex')
  const isSame = kept?.sha256 === sha256
  const copy = isSame
    ? { ...kept, changedMs: file.changedMs }
    : await sendContent(context, file, content, sha256)
  state.files[file.path] = copy
}

async function sendContent(
  context: BackupContext,
  { path, changedMs }: ShopFile,
  content: Buffer,
  sha256: string,
): Promise<KeptFile> {
  const number = context.state.nextFile
  const parts = Math.max(1, Math.ceil(content.length / partBytes))
  let storedBytes = 0
  for (let part = 0; part < parts; part += 1) {
    const piece = content.subarray(part * partBytes, (part + 1) * partBytes)
    const header = { path, atMs: changedMs, sha256, part, parts }
    storedBytes += await writeNext(context, encodeFileObject(header, piece))
  }
  return { number, parts, bytes: content.length, sha256, storedBytes, changedMs }
}

async function noteRemoval(context: BackupContext, path: string): Promise<void> {
  const header = { path, atMs: context.now(), removed: true } as const
  await writeNext(context, encodeFileObject(header, Buffer.alloc(0)))
  delete context.state.files[path]
}

async function writeNext(context: BackupContext, content: Buffer): Promise<number> {
  const { nextFile } = context.state
  const bytes = await context.store.write(nameIn(context, objectNames.file(nextFile)), content)
  context.state.nextFile = nextFile + 1
  return bytes
}

async function readUnlessRemoved(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
