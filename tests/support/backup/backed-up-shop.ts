import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Pool } from 'pg'
import { vi } from 'vitest'
import { startEmbeddedPostgres, spoolOf } from '@local/embedded-postgres'
import { openDatabase } from '@local/postgres'
import { type BackupSettings, type S3Settings } from '#server/platform/backup/backup-settings.ts'
import type { BackupPace } from '#server/platform/backup/run-backup.ts'
import { startBackup, type StartedBackup } from '#server/platform/backup/start-backup.ts'
import { bringUpToDate } from '#server/platform/database/bootstrap-database.ts'
import { markDataDirectory } from '#server/platform/database/data-directory.ts'
import { openPool } from '#tests/support/database/open-pool.ts'

/** A shop with a database of its own and a continuous backup, without a site. */
export type BackedUpShop = {
  readonly dataDirectory: string
  readonly target: string
  readonly settings: BackupSettings
  readonly owner: Pool
  readonly ownerUrl: string
  readonly backup: StartedBackup
  /** The failures that the backup reported. */
  readonly reports: string[]
  /** The sentences with which the backup notified the owner. */
  readonly notices: string[]
  /** Resolves when the backup has stored its first base backup at the backup target. */
  protect(): Promise<void>
  /** Resolves when the backup target has every committed change. */
  sendLog(): Promise<void>
  /** Stops the backup; the database server continues. */
  stopBackup(): Promise<void>
  /** Starts the backup again, as a restart of the site does. */
  startBackup(settings?: Partial<BackupSettings>, pace?: BackupPace): Promise<void>
  /** Stops the backup and the database server without sending the remaining changes to the backup target. */
  destroy(): Promise<void>
}

export const noBucket: S3Settings = {
  endpoint: undefined,
  region: 'us-east-1',
  isPathStyle: true,
  accessKeyId: undefined,
  secretAccessKey: undefined,
  sessionToken: undefined,
}

/** Resolves when `isTrue` returns true; throws after half a minute. */
export const waitUntil = async (isTrue: () => boolean | Promise<boolean>): Promise<void> => {
  await vi.waitUntil(isTrue, { timeout: 30_000, interval: 20 })
}

type Options = {
  readonly root?: string
  readonly dataDirectory?: string
  readonly settings?: Partial<BackupSettings>
  readonly s3?: S3Settings
}

export async function startBackedUpShop(options: Options = {}): Promise<BackedUpShop> {
  const root = options.root ?? mkdtempSync(join(tmpdir(), 'torque-backup-'))
  const dataDirectory = options.dataDirectory ?? join(root, 'data')
  const target = join(root, 'target')
  mkdirSync(target, { recursive: true })
  const server = await startEmbeddedPostgres({
    dataDirectory,
    durable: false,
    archiveEverySeconds: 60,
  })
  markDataDirectory(dataDirectory)
  const { poolUrl } = await bringUpToDate(server.ownerUrl)
  const database = openDatabase(poolUrl)
  const owner = openPool(server.ownerUrl, 2)
  const reports: string[] = []
  const notices: string[] = []
  const start = (settings: BackupSettings, pace?: BackupPace) =>
    startBackup({
      settings,
      s3: options.s3 ?? noBucket,
      dataDirectory,
      database,
      ownerUrl: server.ownerUrl,
      spool: spoolOf(dataDirectory),
      now: Date.now,
      notify: (sentence) => notices.push(sentence),
      report: (error, what) => reports.push(`${what}: ${String(error)}`),
      pace: {
        sendEveryMs: 20,
        readLogEveryMs: 100,
        filesEveryMs: 20,
        idleMs: 20,
        pauseMs: 100,
        ...pace,
      },
    })
  const url = pathToFileURL(target).href
  const settings = {
    url,
    keepDays: 30,
    spoolMegabytes: 2000,
    drillAt: '03:10',
    ...options.settings,
  }
  const shop = {
    dataDirectory,
    target,
    settings,
    owner,
    ownerUrl: server.ownerUrl,
    reports,
    notices,
    backup: await start(settings),
    protect: () => waitUntil(() => shop.backup.context.state.baseReason === undefined),
    async sendLog() {
      const { rows } = await owner.query<{ segment: string }>(
        'select pg_walfile_name(pg_switch_wal()) as segment',
      )
      const segment = rows[0]?.segment ?? ''
      await waitUntil(() => (shop.backup.context.state.nextSegment ?? '') > segment)
    },
    stopBackup: () => shop.backup.stop(),
    async startBackup(changed: Partial<BackupSettings> = {}, pace?: BackupPace) {
      shop.backup = await start({ ...settings, ...changed }, pace)
    },
    async destroy() {
      await shop.backup.stop()
      await Promise.all([owner.end(), database.close()])
      await server.stop()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
  return shop
}
