import type { Client } from 'pg'
import { queryOf, rowsAs } from '@local/postgres'
import { type BackupContext, changeState, nameIn } from '#server/platform/backup/backup-context.ts'
import { readTables } from '#server/platform/backup/drill/mark.ts'
import { sendChangedFiles } from '#server/platform/backup/files/send-files.ts'
import { listSkipped } from '#server/platform/backup/files/skipped-file.ts'
import { splitStream } from '#server/platform/backup/objects/file-stream.ts'
import { objectNames } from '#server/platform/backup/objects/object-names.ts'
import { readApplied } from '#server/platform/database/migrations.ts'
import { toLines } from '#server/platform/storage/backup-file.ts'
import { listTablesOf } from '#server/platform/storage/shop-tables.ts'
import {
  installationTables,
  openSnapshot,
  readRecords,
} from '#server/platform/storage/take-backup.ts'
import type { LogicalManifest } from './logical-manifest.ts'

const partBytes = 8 * 1024 * 1024

/**
 * Sends all rows as of one moment, then the changed files of the data directory, and finally the manifest. Only one
 * part at a time is in memory.
 */
export async function sendLogicalBackup(
  context: BackupContext,
  signal: AbortSignal,
): Promise<void> {
  const takenMs = context.now()
  const { nextBase: number, baseReason } = context.state
  changeState(context, { nextBase: number + 1 })
  const records = await sendRecords(context, number, signal)
  // The files are read after the rows, so that no row refers to a missing file.
  await sendChangedFiles(context, signal)
  signal.throwIfAborted()
  // The file numbers are saved on this machine before the manifest is sent, so that no file copy reuses a number after
  // a crash.
  changeState(context, {})
  const endedMs = context.now()
  const { files, nextFile, skippedFiles = {} } = context.state
  const manifest: LogicalManifest = {
    kind: 'logical',
    format: 1,
    takenMs,
    endedMs,
    ...records,
    files,
    nextFile,
    skippedFiles: listSkipped(skippedFiles),
  }
  const name = nameIn(context, objectNames.manifest(number, endedMs))
  await context.store.write(name, Buffer.from(JSON.stringify(manifest)))
  changeState(context, {
    base: { startedMs: takenMs, endedMs, number },
    baseReason: undefined,
    ...(baseReason !== undefined && { unprovenSinceMs: endedMs }),
  })
}

type Records = Pick<LogicalManifest, 'parts' | 'bytes' | 'migrations' | 'tables' | 'timeZone'>

async function sendRecords(
  context: BackupContext,
  number: number,
  signal: AbortSignal,
): Promise<Records> {
  const client = await openSnapshot(context.ownerUrl)
  try {
    const sent = await sendParts(context, client, number, signal)
    const tables = await readTables(client, await listTablesOf(client, context.backend))
    return {
      ...sent,
      migrations: await readApplied(client),
      tables: tables.filter(({ name }) => !installationTables.has(name)),
      timeZone: await readTimeZone(client),
    }
  } finally {
    await client.end()
  }
}

async function sendParts(
  context: BackupContext,
  client: Client,
  number: number,
  signal: AbortSignal,
): Promise<{ parts: number; bytes: number }> {
  let [parts, bytes] = [0, 0]
  for await (const part of splitStream(
    toBuffers(toLines(readRecords(client, context.backend))),
    partBytes,
  )) {
    signal.throwIfAborted()
    parts += 1
    bytes += part.length
    await context.store.write(nameIn(context, objectNames.basePart(number, parts)), part)
  }
  return { parts, bytes }
}

async function* toBuffers(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const line of lines) yield Buffer.from(line)
}

async function readTimeZone(client: Client): Promise<string> {
  const query = queryOf(client)
  const [row] = rowsAs<{ time_zone: string }>(await query('select time_zone from public.shop'))
  if (!row) throw new Error('The database contains no row of the shop.')
  return row.time_zone
}
