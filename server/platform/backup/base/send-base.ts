import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { queryOf, rowsAs } from '@local/postgres'
import { type BackupContext, changeState, nameIn } from '#server/platform/backup/backup-context.ts'
import { beginChain, isWholeFrom } from '#server/platform/backup/log/chain.ts'
import { listSkipped } from '#server/platform/backup/files/skipped-file.ts'
import { packFiles, splitStream } from '#server/platform/backup/objects/file-stream.ts'
import { objectNames } from '#server/platform/backup/objects/object-names.ts'
import { readClusterFiles } from './cluster-files.ts'
import type { BaseManifest } from './manifest.ts'

const partBytes = 8 * 1024 * 1024
const pollMs = 200

/**
 * Copies the running cluster to the target, which already has the files that were written before `startedMs`.
 * Meanwhile, `sendSegments` sends the write-ahead log. Resolves to true when the target also has the part of the log
 * that the copy needs. Resolves to false when a segment of that part was lost, which makes the copy unusable.
 */
export async function sendBase(
  context: BackupContext,
  startedMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { nextBase: number, baseReason } = context.state
  changeState(context, { nextBase: number + 1 })
  const copied = await withOwner(context, (client) => copyCluster(context, client, number, signal))
  // The copy is also unusable if a base backup became necessary for another reason during the copy. For example, after
  // a change of the target's disk, parts of the copy are still on the former disk.
  const isUsable = () =>
    isWholeFrom(context.state, copied.startSegment) && context.state.baseReason === baseReason
  while (isUsable() && !signal.aborted) {
    if ((context.state.nextSegment ?? '') > copied.stopSegment) {
      // The file numbers are saved on this machine before the manifest is sent, so that no file copy reuses a number
      // after a crash.
      changeState(context, {})
      await writeManifest(context, number, { ...copied, startedMs })
      const { endedMs, version } = copied
      changeState(context, {
        base: { startedMs, endedMs, version },
        baseReason: undefined,
        ...(baseReason !== undefined && { unprovenSinceMs: context.now() }),
        brokenMs: undefined,
        brokenAt: undefined,
      })
      return true
    }
    await delay(pollMs, undefined, { signal }).catch(() => undefined)
  }
  return false
}

async function withOwner<Result>(
  { ownerUrl }: BackupContext,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'base backup' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    // Closing the connection also ends PostgreSQL's backup mode, even after a failed copy.
    await client.end()
  }
}

type Copied = Pick<
  BaseManifest,
  'label' | 'startSegment' | 'stopSegment' | 'endedMs' | 'parts' | 'clusterBytes' | 'version'
> &
  Pick<BaseManifest, 'timeZone' | 'files' | 'nextFile' | 'skippedFiles'>

async function copyCluster(
  context: BackupContext,
  client: Client,
  number: number,
  signal: AbortSignal,
): Promise<Copied> {
  const startSegment = await startBackup(client)
  if (!isWholeFrom(context.state, startSegment)) beginChain(context, startSegment)
  const { parts, clusterBytes } = await sendCluster(context, number, signal)
  // The manifest lists the files that were copied before the end of the base backup. A restore to a later time also
  // restores files that were copied after that end.
  const { files, nextFile, skippedFiles = {} } = context.state
  return {
    ...(await stopBackup(client)),
    startSegment,
    parts,
    clusterBytes,
    files: { ...files },
    nextFile,
    skippedFiles: listSkipped(skippedFiles),
  }
}

async function startBackup(client: Client): Promise<string> {
  const query = queryOf(client)
  const [row] = rowsAs<{ segment: string }>(
    await query(`select pg_walfile_name(pg_backup_start('torque-and-timing', true)) as segment`),
  )
  if (!row) throw new Error('pg_backup_start returned no row')
  return row.segment
}

type Stopped = Pick<Copied, 'label' | 'stopSegment' | 'endedMs' | 'version' | 'timeZone'>

async function stopBackup(client: Client): Promise<Stopped> {
  const query = queryOf(client)
  const [row] = rowsAs<{
    label: string
    segment: string
    ended_ms: string
    version: number
    time_zone: string
  }>(
    await query(
      `select labelfile as label, pg_walfile_name(lsn) as segment,
         ceil(extract(epoch from clock_timestamp()) * 1000)::bigint::text as ended_ms,
         current_setting('server_version_num')::integer as version,
         (select time_zone from public.shop) as time_zone
       from pg_backup_stop(wait_for_archive => false)`,
    ),
  )
  if (!row) throw new Error('pg_backup_stop returned no row')
  const { label, segment: stopSegment, version, time_zone: timeZone } = row
  return { label, stopSegment, version, timeZone, endedMs: Number(row.ended_ms) }
}

async function sendCluster(
  context: BackupContext,
  number: number,
  signal: AbortSignal,
): Promise<{ parts: number; clusterBytes: number }> {
  let [parts, clusterBytes] = [0, 0]
  const cluster = join(context.dataDirectory, 'postgresql', 'cluster')
  for await (const part of splitStream(packFiles(readClusterFiles(cluster)), partBytes)) {
    signal.throwIfAborted()
    parts += 1
    clusterBytes += part.length
    await context.store.write(nameIn(context, objectNames.basePart(number, parts)), part)
  }
  return { parts, clusterBytes }
}

async function writeManifest(
  context: BackupContext,
  number: number,
  copied: Copied & { readonly startedMs: number },
): Promise<void> {
  const password = await readFile(join(context.dataDirectory, 'postgresql', 'password'), 'utf8')
  const { brokenMs, brokenAt } = context.state
  const manifest: BaseManifest = {
    format: 1,
    ...copied,
    password,
    lostMs: brokenMs === undefined ? undefined : [brokenMs, copied.endedMs],
    brokenAt,
  }
  const name = nameIn(context, objectNames.manifest(number, copied.endedMs))
  await context.store.write(name, Buffer.from(JSON.stringify(manifest)))
}
