import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Database } from '@local/postgres'
import type { BackupContext } from './backup-context.ts'
import type { BackupSettings, S3Settings } from './backup-settings.ts'
import { continueState, readCluster } from './begin-state.ts'
import { openBackupKey } from './objects/backup-key.ts'
import { openSealedStore } from './objects/sealed-store.ts'
import { type BackupPace, runBackup, type RunningBackup } from './run-backup.ts'
import { saveState } from './state.ts'
import { openTarget } from './target/open-target.ts'

export type StartBackupOptions = {
  readonly settings: BackupSettings
  readonly s3: S3Settings
  readonly dataDirectory: string
  readonly ownerUrl: string
  readonly database: Database
  readonly spool: string
  readonly now: () => number
  readonly report: (error: unknown, what: string) => void
  readonly notify: (sentence: string) => void
  readonly pace?: BackupPace
}

export type StartedBackup = RunningBackup & {
  readonly context: BackupContext
  /** Whether this start created the key file. If so, the owner does not have a copy of the key yet. */
  readonly isKeyNew: boolean
}

/** Starts the continuous backup of the embedded database and of the data directory. */
export async function startBackup(options: StartBackupOptions): Promise<StartedBackup> {
  const { settings, dataDirectory, ownerUrl, spool, now, database, report, notify, pace } = options
  const { key, isNew } = openBackupKey(dataDirectory)
  const target = openTarget(settings.url, options.s3)
  const cluster = await readCluster(ownerUrl)
  const state = continueState(dataDirectory, cluster, key, {
    address: target.address,
    nowMs: now(),
  })
  // Each start reserves its folder at the target again (with a claim), because the state may have been copied to
  // another machine together with the data directory.
  if (state.claimedMs > 0) state.claimedMs = 1
  saveState(dataDirectory, state)
  const store = openSealedStore(target, key)
  const context: BackupContext = {
    target,
    store,
    key,
    dataDirectory,
    ownerUrl,
    backend: 'own',
    spool,
    state,
    now,
  }
  const { keepDays, spoolMegabytes } = settings
  const running = runBackup({
    context,
    database,
    keepDays,
    spoolMegabytes,
    report,
    notify,
    ...(pace && { pace }),
  })
  return { ...running, context, isKeyNew: isNew }
}

/**
 * Whether the target is a folder on the same disk as the data directory. A defect of this disk would destroy both the
 * data and the backup.
 */
export function isOnSameDisk(url: string, dataDirectory: string): boolean {
  if (!url.startsWith('file:')) return false
  try {
    const folder = fileURLToPath(url)
    return statSync(folder).dev === statSync(dataDirectory).dev
  } catch {
    return false
  }
}
