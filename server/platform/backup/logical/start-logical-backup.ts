import { continueState } from '#server/platform/backup/begin-state.ts'
import { openBackupKey } from '#server/platform/backup/objects/backup-key.ts'
import { openSealedStore } from '#server/platform/backup/objects/sealed-store.ts'
import type { StartBackupOptions, StartedBackup } from '#server/platform/backup/start-backup.ts'
import type { Backend } from '#server/platform/storage/shop-tables.ts'
import { openTarget } from '#server/platform/backup/target/open-target.ts'
import { type LogicalPace, runLogicalBackup } from './run-logical-backup.ts'
import { readShopId } from './shop-id.ts'

type Options = Omit<StartBackupOptions, 'spool' | 'pace' | 'notify'> & {
  readonly backend: Backend
  readonly pace?: LogicalPace
}

/**
 * The number 0 means that a logical backup has no timeline, because it contains no write-ahead log. PostgreSQL
 * counts timelines from 1.
 */
export const noTimeline = 0

/** Starts the nightly backup of a database whose write-ahead log the site cannot read, and of the data directory. */
export async function startLogicalBackup(options: Options): Promise<StartedBackup> {
  const { settings, dataDirectory, ownerUrl, backend, now, database, report, pace } = options
  const { key, isNew } = openBackupKey(dataDirectory)
  const target = openTarget(settings.url, options.s3)
  const cluster = { systemId: await readShopId(ownerUrl), timeline: noTimeline }
  const readState = () =>
    continueState(dataDirectory, cluster, key, { address: target.address, nowMs: now() })
  // The process sends nothing to the target and saves no state until it has the lock.
  const state = { ...readState(), claimedMs: 0 }
  const store = openSealedStore(target, key)
  const shop = { dataDirectory, ownerUrl, backend, now }
  const context = { ...shop, target, store, key, spool: '', state }
  const running = runLogicalBackup({
    context,
    database,
    keepDays: settings.keepDays,
    readState,
    report,
    ...(pace && { pace }),
  })
  return { ...running, context, isKeyNew: isNew }
}
