import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { queryOf, rowsAs } from '@local/postgres'
import type { BackupKey } from '#server/platform/backup/objects/backup-key.ts'
import { clusterRoom, freeBytes } from '#server/platform/backup/restore/free-room.ts'
import type { SkippedFile } from '#server/platform/backup/files/skipped-file.ts'
import { openCopy } from '#server/platform/backup/restore/open-copy.ts'
import type { OpenedCopy } from '#server/platform/backup/restore/opened-copy.ts'
import { recoverCluster } from '#server/platform/backup/restore/recover-cluster.ts'
import { unpackBase } from '#server/platform/backup/restore/unpack-base.ts'
import { writeLog } from '#server/platform/backup/restore/write-log.ts'
import { loadState } from '#server/platform/backup/state.ts'
import type { Target } from '#server/platform/backup/target/target.ts'
import { checkFiles } from './check-files.ts'
import { withMarkConnection } from './mark-connection.ts'
import { compareMarks, type Mark, readContent, takeMark } from './mark.ts'

export type DrillOptions = {
  readonly target: Target
  readonly key: BackupKey
  readonly dataDirectory: string
  readonly ownerUrl: string
  readonly now: () => number
  /** The drill checks the content of all files with this number or a higher one. */
  readonly sinceNumber: number
  /** Whether the drill checks the content of all files instead of a sample. */
  readonly isComplete: boolean
  readonly signal: AbortSignal
  readonly onStep: (step: DrillStep) => void
}

export type DrillStep = 'marking' | 'copying' | 'recovering' | 'comparing'

export type DrillResult = {
  readonly outcome: 'proven' | 'differs'
  readonly restoredMs: number
  readonly tables: number
  readonly rows: number
  readonly files: number
  readonly checkedFiles: number
  readonly differingFiles: number
  /** The files whose newest version the backup lacks, because the site could not read them. */
  readonly skipped: readonly SkippedFile[]
  /** The name of the first stored object that is missing or damaged. */
  readonly object?: string
  /** The names of the differences: table names, and 'catalog' for the schema. */
  readonly differing: readonly string[]
  /** The lowest file number that the next drill treats as new. */
  readonly nextNumber: number
}

/** Thrown when the drill could not compare the backup; `reason` is the cause. */
export class DrillError extends Error {
  override readonly name = 'DrillError'
  readonly reason: 'no base' | 'newest backup missing' | 'not sent' | 'no room' | 'damaged'
  /** The name of the stored object that the drill could not use; undefined if the drill knows no such object. */
  readonly object: string | undefined

  constructor(reason: DrillError['reason'], message: string, object?: string) {
    super(message)
    this.reason = reason
    this.object = object
  }
}

/** The folder into which a drill restores the backup. It exists only while a drill runs. */
export const drillFolder = (dataDirectory: string): string =>
  join(dataDirectory, 'backups', 'drill')

/** The maximum time in which the running backup has to send the log up to the recorded mark. */
const sendMs = 180_000
const pollMs = 250

/**
 * Restores the newest backup into a separate folder while the shop is running. Compares every row of every table, and
 * files, with the checksums of the shop at one position of the log. Changes nothing in the shop.
 */
export async function runDrill(options: DrillOptions): Promise<DrillResult> {
  const { target, key, dataDirectory, ownerUrl, now, signal, onStep } = options
  onStep('marking')
  const state = loadState(dataDirectory)
  if (!state || state.baseReason !== undefined)
    throw new DrillError('no base', 'There is no full copy yet.')
  const mark = await withMarkConnection(ownerUrl, signal, markAndSwitch)
  await awaitSent(options, mark.segment)
  const { systemId: shop, id: incarnation } = state.incarnation
  const opened = await openCopy({ target, key, shop, incarnation, now })
  const folder = drillFolder(dataDirectory)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    if ((await freeBytes(folder)) < clusterRoom(opened))
      throw new DrillError('no room', 'The disk has no room for a restored copy.')
    const startedMs = performance.now()
    const found = await restoreAndRead(options, stoppable(opened, signal), folder, mark)
    const restoredMs = Math.round(found.recoveredAt - startedMs)
    const files = await checkFiles(stoppable(opened, signal), options)
    const differing = compareMarks(mark, found.content)
    return {
      outcome: differing.length === 0 && files.differingFiles === 0 ? 'proven' : 'differs',
      restoredMs,
      tables: mark.tables.length,
      rows: mark.tables.reduce((sum, { rows }) => sum + rows, 0),
      ...files,
      differing,
      nextNumber: (opened.copy.files.at(-1)?.number ?? 0) + 1,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the backup copy with a store whose next read throws after the drill was stopped. */
function stoppable(opened: OpenedCopy, signal: AbortSignal): OpenedCopy {
  const { store } = opened
  const read = async (name: string) => {
    signal.throwIfAborted()
    return store.read(name)
  }
  return { ...opened, store: { ...store, read } }
}

/** Records a mark, and switches to a new WAL segment so that the segment with the position of the mark is archived. */
async function markAndSwitch(client: Client): Promise<Mark & { segment: string }> {
  const mark = await takeMark(client)
  const query = queryOf(client)
  // PostgreSQL recovers up to a position only when the log continues after it.
  const [row] = rowsAs<{ segment: string }>(
    await query(
      `select pg_walfile_name(pg_switch_wal()) as segment from pg_logical_emit_message(false, 'drill', 'mark')`,
    ),
  )
  return { ...mark, segment: row?.segment ?? '' }
}

/**
 * The process that runs the backup writes its state to the disk, so that the command `npm run drill` can read it in
 * another process.
 */
async function awaitSent({ dataDirectory, signal }: DrillOptions, segment: string): Promise<void> {
  const deadline = performance.now() + sendMs
  while ((loadState(dataDirectory)?.nextSegment ?? '') <= segment) {
    signal.throwIfAborted()
    if (performance.now() > deadline)
      throw new DrillError(
        'not sent',
        'The newest segments of the write-ahead log could not be sent to the backup target.',
      )
    await delay(pollMs)
  }
}

async function restoreAndRead(
  { signal, onStep }: DrillOptions,
  opened: OpenedCopy,
  folder: string,
  { position }: Mark,
): Promise<{ content: Omit<Mark, 'position'>; recoveredAt: number }> {
  onStep('copying')
  const home = join(folder, 'postgresql')
  await unpackBase(opened.store, opened, opened.manifest, home)
  const unusable = await writeLog(opened.store, opened.segments, join(home, 'cluster'))
  if (unusable) throw unusable.error
  onStep('recovering')
  const { server, isEndOfLog } = await recoverCluster(
    folder,
    { position },
    { isLowPriority: true, signal },
  )
  const recoveredAt = performance.now()
  try {
    if (isEndOfLog)
      throw new DrillError(
        'damaged',
        'The write-ahead log at the backup target ends before the state that the drill compares.',
      )
    onStep('comparing')
    return { content: await withMarkConnection(server.ownerUrl, signal, readContent), recoveredAt }
  } finally {
    await server.stop()
  }
}
