import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BackupContext, changeState, nameIn } from '#server/platform/backup/backup-context.ts'
import { objectNames } from '#server/platform/backup/objects/object-names.ts'
import type { KeptFile } from '#server/platform/backup/state.ts'
import { encodeFileObject } from './file-object.ts'
import { listShopFiles, type ShopFile } from './shop-files.ts'
import { type SkipProblem, skipProblemOf } from './skipped-file.ts'

/** The maximum size of an object's content in bytes; a larger file is split into several objects. */
const partBytes = 8 * 1024 * 1024

/**
 * Copies each new or changed file of the data directory to the target, and records each removed file there. If the site
 * cannot read a file, records at the target and in the state that the newest version of the file is missing, and
 * continues with the other files.
 */
export async function sendChangedFiles(context: BackupContext, signal: AbortSignal): Promise<void> {
  const { files, unreadable } = await listShopFiles(context.dataDirectory)
  const before = context.state.nextFile
  try {
    for (const file of files) {
      if (signal.aborted) return
      await sendFile(context, file)
    }
    for (const path of unreadable) {
      if (!signal.aborted) await noteSkipped(context, path, context.now(), 'unreadable')
    }
    const isPresent = presenceOf(files, unreadable)
    const { state } = context
    for (const path of new Set([...Object.keys(state.files), ...Object.keys(skippedOf(context))])) {
      if (!signal.aborted && !isPresent(path)) await noteRemoval(context, path)
    }
  } finally {
    // The state is saved only after the last file. After a crash, the files are copied again under the same numbers.
    if (context.state.nextFile !== before) changeState(context, {})
  }
}

/**
 * Returns a function that tells whether the data directory contains the file with a given path. Every file in an
 * unreadable folder counts as present.
 */
function presenceOf(files: readonly ShopFile[], unreadable: readonly string[]) {
  const present = new Set([...files.map(({ path }) => path), ...unreadable])
  return (path: string) =>
    present.has(path) || unreadable.some((folder) => path.startsWith(`${folder}/`))
}

const skippedOf = ({ state }: BackupContext) => (state.skippedFiles ??= {})

/** Copies the file unless the target already has this version of the file. */
async function sendFile(context: BackupContext, file: ShopFile): Promise<void> {
  const { state, dataDirectory } = context
  const kept = state.files[file.path]
  const wasSkipped = file.path in skippedOf(context)
  if (!wasSkipped && kept?.changedMs === file.changedMs && kept.bytes === file.bytes) return
  const content = await readOrNote(context, join(dataDirectory, file.path), file)
  if (!content) return
  const sha256 = createHash('sha256').update(content).digest('hex')
  // If a file was recorded as missing, its copy is sent even if the content is unchanged, because the copy replaces
  // that record at the target.
  const isSame = kept?.sha256 === sha256 && !wasSkipped
  const copy = isSame
    ? { ...kept, changedMs: file.changedMs }
    : await sendContent(context, file, content, sha256)
  state.files[file.path] = copy
  delete skippedOf(context)[file.path]
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
  delete skippedOf(context)[path]
}

/**
 * Records at the target that the backup lacks the newest version of a file, unless the target already has this record.
 */
async function noteSkipped(
  context: BackupContext,
  path: string,
  atMs: number,
  problem: SkipProblem,
): Promise<void> {
  if (skippedOf(context)[path] === problem) return
  await writeNext(context, encodeFileObject({ path, atMs, skipped: problem }, Buffer.alloc(0)))
  skippedOf(context)[path] = problem
}

async function writeNext(context: BackupContext, content: Buffer): Promise<number> {
  const { nextFile } = context.state
  const bytes = await context.store.write(nameIn(context, objectNames.file(nextFile)), content)
  context.state.nextFile = nextFile + 1
  return bytes
}

/**
 * Reads a file. If the site cannot read the file, records that its newest version is missing, and returns undefined.
 * Also returns undefined for a file that was removed in the meantime.
 */
async function readOrNote(
  context: BackupContext,
  file: string,
  { path, changedMs }: ShopFile,
): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    const problem = skipProblemOf(error)
    if (problem) await noteSkipped(context, path, changedMs, problem)
    return undefined
  }
}
