import type { FastifyInstance } from 'fastify'
import type { Database } from '@local/postgres'
import type { Config } from '#server/config.ts'
import { startBackup, type StartedBackup } from '#server/platform/backup/start-backup.ts'

export type BackupService = {
  /** The running backup; undefined before the app is ready, and without BACKUP_URL. */
  current(): StartedBackup | undefined
}

type Dependencies = {
  readonly config: Config
  readonly database: Database
  readonly now: () => number
  readonly ownerUrl?: string | undefined
  /** The folder into which the embedded server copies its log; undefined without a backup. */
  readonly spool?: string | undefined
}

/** Runs the continuous backup from when the app is ready until it closes. */
export function openBackup(app: FastifyInstance, dependencies: Dependencies): BackupService {
  const { config, database, now, ownerUrl, spool } = dependencies
  const settings = config.backup
  let running: StartedBackup | undefined
  if (settings && ownerUrl !== undefined && spool !== undefined) {
    app.addHook('onReady', async () => {
      running = await startBackup({
        settings,
        s3: config.s3,
        dataDirectory: config.dataDirectory,
        ownerUrl,
        database,
        spool,
        now,
        report: (error, what) => app.log.error({ err: error }, what),
        notify: (sentence) => app.log.warn(sentence),
      })
    })
    app.addHook('onClose', () => running?.stop())
  }
  return { current: () => running }
}
