import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Applied } from '#server/platform/database/migrations.ts'
import { StartRefused } from '#server/platform/start/start-refused.ts'

/**
 * A backup is gzipped lines of JSON, one `Entry` each: a header, every row of every table, the
 * sequences, the files of the data directory, and an end that counts and hashes the lines before it.
 * Readable without us, and independent of PostgreSQL's version and of the processor.
 */
export type Entry = Header | RowEntry | SequenceEntry | FileEntry

export type Header = {
  readonly kind: 'torque-and-timing backup'
  readonly format: 1
  readonly takenAt: string
  readonly migrations: readonly Applied[]
}

/**
 * `row` is the text of a JSON object by column name, without generated columns. It stays text, because a
 * JavaScript number would round PostgreSQL's.
 */
export type RowEntry = { readonly kind: 'row'; readonly table: string; readonly row: string }

type SequenceEntry = {
  readonly kind: 'sequence'
  readonly name: string
  readonly value: string
}

/** A file of the data directory, by its path in there. */
export type FileEntry = { readonly kind: 'file'; readonly path: string; readonly base64: string }

type End = { readonly kind: 'end'; readonly lines: number; readonly sha256: string }

/** Writes beside the place and renames, so that a file of this name is always whole; then reads it back. */
export async function writeBackupFile(file: string, entries: AsyncIterable<Entry>): Promise<void> {
  const unfinished = `${file}.unfinished`
  try {
    const target = createWriteStream(unfinished, { mode: 0o600 })
    await pipeline(Readable.from(toLines(entries)), createGzip(), target)
    await flush(unfinished)
    await checkBackupFile(unfinished)
    await rename(unfinished, file)
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function* toLines(entries: AsyncIterable<Entry>): AsyncGenerator<string> {
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

/** Reads the whole file. Throws `StartRefused` unless it is a backup, whole and unchanged. */
export async function checkBackupFile(file: string): Promise<Header> {
  let header: Header | undefined
  for await (const entry of readBackupFile(file)) {
    header ??= entry as Header
  }
  if (!header) throw damaged(file)
  return header
}

/** The entries in order; a damaged file throws `StartRefused`, at its end at the latest. */
export async function* readBackupFile(file: string): AsyncGenerator<Entry> {
  const hash = createHash('sha256')
  let lines = 0
  let end: End | undefined
  for await (const line of readLines(file)) {
    const entry = parse(file, line)
    if (end || (lines === 0 && !isHeader(entry))) throw damaged(file)
    if (entry.kind === 'end') {
      end = entry
      continue
    }
    hash.update(`${line}\n`)
    lines += 1
    yield entry
  }
  if (end?.lines !== lines || end.sha256 !== hash.digest('hex')) throw damaged(file)
}

async function* readLines(file: string): AsyncGenerator<string> {
  const unzipped = createGunzip()
  // The reader below meets the same error; unhandled here, it would end the process.
  const copied = pipeline(createReadStream(file), unzipped).catch(() => undefined)
  try {
    yield* createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY })
  } catch {
    throw damaged(file)
  }
  await copied
}

function parse(file: string, line: string): Entry | End {
  try {
    return JSON.parse(line) as Entry | End
  } catch {
    throw damaged(file)
  }
}

function isHeader(entry: Entry | End): boolean {
  return entry.kind === 'torque-and-timing backup' && entry.format === 1
}

function damaged(file: string): StartRefused {
  return new StartRefused(
    `${file} is not a whole backup of this site: it is damaged, cut short or something else. Nothing was changed.`,
  )
}
