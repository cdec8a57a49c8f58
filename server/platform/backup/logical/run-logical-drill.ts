import { mkdir, rm } from 'node:fs/promises'
import type { Client } from 'pg'
import { startEmbeddedPostgres } from '@local/embedded-postgres'
import { checkFiles } from '#server/platform/backup/drill/check-files.ts'
import { withMarkConnection } from '#server/platform/backup/drill/mark-connection.ts'
import { compareTables, readTables, type TableMark } from '#server/platform/backup/drill/mark.ts'
import {
  DrillError,
  drillFolder,
  type DrillOptions,
  type DrillResult,
} from '#server/platform/backup/drill/run-drill.ts'
import { incarnationFolder, objectNames } from '#server/platform/backup/objects/object-names.ts'
import { openSealedStore, type SealedStore } from '#server/platform/backup/objects/sealed-store.ts'
import { freeBytes, logicalRoom } from '#server/platform/backup/restore/free-room.ts'
import { type BackupState, loadState } from '#server/platform/backup/state.ts'
import { loadRecords } from '#server/platform/storage/restore-backup.ts'
import { listTables } from '#server/platform/storage/shop-tables.ts'
import { installationTables } from '#server/platform/storage/take-backup.ts'
import {
  listLogical,
  openLogical,
  type OpenedLogical,
  readLogicalEntries,
} from './open-logical-copy.ts'

/**
 * Restores the newest logical backup into a separate embedded server. Compares all tables with the row counts and
 * checksums that the backup recorded, and checks the backed-up files. Sends no query to the database of the shop.
 */
export async function runLogicalDrill(options: DrillOptions): Promise<DrillResult> {
  const { dataDirectory, signal, onStep } = options
  onStep('marking')
  const opened = await openNewest(options)
  const folder = drillFolder(dataDirectory)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    if ((await freeBytes(folder)) < logicalRoom(opened.manifest))
      throw new DrillError('no room', 'The disk has no room for a restored copy.')
    const startedMs = performance.now()
    const found = await restoreAndRead(options, opened, folder)
    signal.throwIfAborted()
    const files = await checkFiles(opened, options)
    const expected = opened.manifest.tables
    const differing = compareTables(expected, found.tables)
    return {
      outcome: differing.length === 0 && files.differingFiles === 0 ? 'proven' : 'differs',
      restoredMs: Math.round(found.restoredAt - startedMs),
      tables: expected.length,
      rows: expected.reduce((sum, { rows }) => sum + rows, 0),
      ...files,
      differing,
      nextNumber: (opened.copy.files.at(-1)?.number ?? 0) + 1,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function openNewest({ target, key, dataDirectory, signal }: DrillOptions) {
  const state = loadState(dataDirectory)
  const own = state && incarnationFolder(state.incarnation)
  const stored = state ? await listLogical(target, state.incarnation.systemId) : []
  const newest = stored.find(({ copy }) => copy.folder === own)
  if (!newest && state?.base === undefined)
    throw new DrillError('no base', 'There is no nightly backup yet.')
  // A restore drill of an older backup would not prove that the newest backup can be restored, but the dashboard calls
  // the shop protected up to the newest backup.
  if (!newest || (state?.base && newest.base.endedMs < state.base.endedMs))
    throw newestMissing(state)
  return openLogical(stoppable(openSealedStore(target, key), signal), newest)
}

function newestMissing(state: BackupState | undefined): DrillError {
  const { endedMs = 0, number } = state?.base ?? {}
  const object =
    state && number !== undefined
      ? incarnationFolder(state.incarnation) + objectNames.manifest(number, endedMs)
      : undefined
  return new DrillError(
    'newest backup missing',
    `The newest nightly backup, which ended at ${new Date(endedMs).toISOString()}, is missing at the target.`,
    object,
  )
}

/** Returns a store that refuses to read further objects after the restore drill was stopped. */
function stoppable(store: SealedStore, signal: AbortSignal): SealedStore {
  const read = async (name: string) => {
    signal.throwIfAborted()
    return store.read(name)
  }
  return { ...store, read }
}

async function restoreAndRead(
  { signal, onStep }: DrillOptions,
  opened: OpenedLogical,
  folder: string,
): Promise<{ tables: readonly TableMark[]; restoredAt: number }> {
  onStep('copying')
  const server = await startEmbeddedPostgres({ dataDirectory: folder, isLowPriority: true, signal })
  try {
    onStep('recovering')
    const read = () => readLogicalEntries(opened)
    await loadRecords(server.ownerUrl, opened.manifest.migrations, read)
    const restoredAt = performance.now()
    onStep('comparing')
    return { tables: await withMarkConnection(server.ownerUrl, signal, readRestored), restoredAt }
  } finally {
    await server.stop()
  }
}

async function readRestored(client: Client): Promise<readonly TableMark[]> {
  const tables = await readTables(client, await listTables(client))
  return tables.filter(({ name }) => !installationTables.has(name))
}
