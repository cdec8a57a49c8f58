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
  /**
   * The lowest number of a file copy that counts as new. The restore drill (a test that restores the backup) checks the
   * content of every new file.
   */
  readonly sinceNumber: number
  /** Whether the restore drill checks the content of all files instead of a sample. */
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
  /** The files whose newest version is missing in the backup, because the site could not read them. */
  readonly skipped: readonly SkippedFile[]
  /** The name of the first stored object that is missing or damaged; undefined if there is none. */
  readonly object?: string
  /**
   * The names of the parts in which the restored database differs from the shop: table names, and 'catalog' for the
   * schema.
   */
  readonly differing: readonly string[]
  /** The lowest number of a file copy that the next restore drill treats as new. */
  readonly nextNumber: number
}

/**
 * Thrown when the restore drill (a test that restores the backup) could not compare the backup with the shop; `reason`
 * tells why.
 */
export class DrillError extends Error {
  override readonly name = 'DrillError'
  readonly reason: 'no base' | 'newest backup missing' | 'not sent' | 'no room' | 'damaged'
  /** The name of the stored object that the restore drill could not use; undefined if the cause is something else. */
  readonly object: string | undefined

  constructor(reason: DrillError['reason'], message: string, object?: string) {
    super(message)
    this.reason = reason
    this.object = object
  }
}

/** The folder into which a restore drill restores the backup. The folder exists only during a restore drill. */
export const drillFolder = (dataDirectory: string): string =>
  join(dataDirectory, 'backups', 'drill')

/**
 * The maximum time in milliseconds to wait until the running backup has sent the write-ahead log up to the position at
 * which the checksums were recorded.
 */
const sendMs = 180_000
const pollMs = 250

/**
 * Performs a restore drill: restores the newest backup into a separate folder while the shop is running. Compares
 * every row of every table, and files, with the checksums of the shop at one position of the write-ahead log.
 * Changes nothing in the shop.
 */
export async function runDrill(options: DrillOptions): Promise<DrillResult> {
  const { target, key, dataDirectory, ownerUrl, now, signal, onStep } = options
  onStep('marking')
  const state = loadState(dataDirectory)
  if (!state || state.baseReason !== undefined)
    throw new DrillError('no base', 'The backup contains no full copy of the database yet.')
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

/** Returns the opened backup with a store that refuses to read further objects after the restore drill was stopped. */
function stoppable(opened: OpenedCopy, signal: AbortSignal): OpenedCopy {
  const { store } = opened
  const read = async (name: string) => {
    signal.throwIfAborted()
    return store.read(name)
  }
  return { ...opened, store: { ...store, read } }
}

/**
 * Records the checksums of the shop at one position of the write-ahead log (WAL). Then switches to a new WAL
 * segment, so that PostgreSQL archives the segment that contains the position.
 */
async function markAndSwitch(client: Client): Promise<Mark & { segment: string }> {
  const mark = await takeMark(client)
  const query = queryOf(client)
  // Writes a message into the write-ahead log, because PostgreSQL recovers up to a position only if the log contains a
  // record after this position.
  const [row] = rowsAs<{ segment: string }>(
    await query(
      `select pg_walfile_name(pg_switch_wal()) as segment from pg_logical_emit_message(false, 'drill', 'mark')`,
    ),
  )
  return { ...mark, segment: row?.segment ?? '' }
}

/**
 * Waits until the running backup has sent the log segment `segment`. Reads the state of the backup from the disk,
 * because `npm run drill` is another process than the backup.
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
