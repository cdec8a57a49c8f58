import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import {
  createLock,
  decrypt,
  encrypt,
  headBytes,
  isEncrypted,
  type Lock,
  openLock,
} from './encryption.ts'
import type { Applied } from '#server/platform/database/migration-files.ts'
import { StartupError } from '@local/postgres'

/**
 * A backup file consists of gzipped lines of JSON, one `Entry` each: a header, every row of every table, the
 * sequences, the files of the data directory, and a last line with the count and hash of the lines before it. Other
 * programs can read the file. The format does not depend on PostgreSQL's version or on the processor architecture.
 */
export type Entry = Header | RowEntry | SequenceEntry | FileEntry

export type Header = {
  readonly kind: 'torque-and-timing backup'
  readonly format: 1
  readonly takenAt: string
  readonly migrations: readonly Applied[]
}

/**
 * `row` is the text of a JSON object with a property for each column, except generated columns. The code does not
 * parse the text, because a JavaScript number would round PostgreSQL's numbers.
 */
type RowEntry = { readonly kind: 'row'; readonly table: string; readonly row: string }

export type SequenceEntry = {
  readonly kind: 'sequence'
  readonly name: string
  readonly value: string
}

/** A file of the shop's data directory: its path, relative to that directory, and its content. */
export type FileEntry = { readonly kind: 'file'; readonly path: string; readonly base64: string }

type End = { readonly kind: 'end'; readonly lines: number; readonly sha256: string }

/** A backup file on the disk; `lock` contains the key if the file is encrypted. */
export type BackupFile = { readonly path: string; readonly lock?: Lock | undefined }

/**
 * Writes a temporary file and renames it, so that a file with the final name is always complete. Then reads the file
 * to check it. If `secret` is given, the file is encrypted with it.
 */
export async function writeBackupFile(
  file: string,
  entries: AsyncIterable<Entry>,
  secret?: string,
): Promise<void> {
  const unfinished = `${file}.unfinished`
  const lock = secret === undefined ? undefined : await createLock(secret)
  const close = (bytes: AsyncIterable<Buffer>) => (lock ? encrypt(lock, bytes) : bytes)
  try {
    const target = createWriteStream(unfinished, { mode: 0o600 })
    await pipeline(Readable.from(toLines(entries)), createGzip(), close, target)
    await flush(unfinished)
    await checkBackupFile({ path: unfinished, lock })
    await rename(unfinished, file)
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** Yields the lines of a backup file, and a last line with their count and hash. */
export async function* toLines(entries: AsyncIterable<Entry>): AsyncGenerator<string> {
  const hash = createHash('sha256')
  let lines = 0
  for await (const entry of entries) {
    const line = `${JSON.stringify(entry)}\n`
    hash.update(line)
    lines += 1
    yield line
  }
  const end: End = { kind: 'end', lines, sha256: hash.digest('hex') }
  yield `${JSON.stringify(end)}\n`
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.sync()
  await handle.close()
}

/**
 * Opens a backup file. Calls `promptSecret` only if the file is encrypted. Throws `StartupError` when the secret
 * does not decrypt the file.
 */
export async function openBackupFile(
  path: string,
  promptSecret: () => Promise<string>,
): Promise<BackupFile> {
  const start = await readStart(path)
  if (!isEncrypted(start)) return { path }
  const lock = await openLock(await promptSecret(), start)
  if (lock) return { path, lock }
  throw new StartupError(
    `This passphrase or key file does not open ${path}: the passphrase or key file is wrong, or the backup is damaged. Nothing was changed.`,
  )
}

async function readStart(path: string): Promise<Buffer> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Reads the whole backup file. Throws `StartupError` unless the file is complete and unchanged. */
export async function checkBackupFile(file: BackupFile): Promise<Header> {
  let header: Header | undefined
  for await (const entry of readBackupFile(file)) {
    header ??= entry as Header
  }
  if (!header) throw damaged(file)
  return header
}

/**
 * Yields the entries of a backup file in order. Throws `StartupError` if the file is damaged. Some damage is detected
 * only after the last entry.
 */
export async function* readBackupFile(file: BackupFile): AsyncGenerator<Entry> {
  yield* readEntries(readLines(file), () => damaged(file))
}

/**
 * Yields the entries in the lines of a backup. If the backup is damaged, throws the error that `damaged` returns. Some
 * damage is detected only after the last entry.
 */
export async function* readEntries(
  source: AsyncIterable<string>,
  damaged: () => Error,
): AsyncGenerator<Entry> {
  const hash = createHash('sha256')
  let lines = 0
  let end: End | undefined
  for await (const line of source) {
    const entry = parse(line)
    if (!entry || end || (lines === 0 && !isHeader(entry))) throw damaged()
    if (entry.kind === 'end') {
      end = entry
      continue
    }
    hash.update(`${line}\n`)
    lines += 1
    yield entry
  }
  if (end?.lines !== lines || end.sha256 !== hash.digest('hex')) throw damaged()
}

async function* readLines(file: BackupFile): AsyncGenerator<string> {
  const unzipped = createGunzip()
  const source: AsyncIterable<Buffer> = createReadStream(file.path)
  const bytes = file.lock ? decrypt(file.lock, source) : source
  // Reading `unzipped` also throws an error of the pipeline. Without `catch`, the same error would end the process as
  // an unhandled rejection.
  const copied = pipeline(bytes, unzipped).catch(() => undefined)
  try {
    yield* createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY })
  } catch {
    throw damaged(file)
  }
  await copied
}

function parse(line: string): Entry | End | undefined {
  try {
    return JSON.parse(line) as Entry | End
  } catch {
    return undefined
  }
}

function isHeader(entry: Entry | End): boolean {
  return entry.kind === 'torque-and-timing backup' && entry.format === 1
}

function damaged({ path }: BackupFile): StartupError {
  return new StartupError(
    `${path} is not a whole backup of this site: it is damaged, cut short or something else. Nothing was changed.`,
  )
}
