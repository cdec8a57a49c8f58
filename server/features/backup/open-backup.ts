import type { FastifyInstance } from 'fastify'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Database } from '@local/postgres'
import type { Config } from '#server/config.ts'
import { asServer } from '#server/platform/database/identities.ts'
import type { DrillStep } from '#server/platform/backup/drill/run-drill.ts'
import { startLogicalBackup } from '#server/platform/backup/logical/start-logical-backup.ts'
import { startBackup, type StartedBackup } from '#server/platform/backup/start-backup.ts'
import { notifyAboutNights } from './bad-nights.ts'
import { DrillRunningError, performDrill } from './perform-drill.ts'
import { removeInterruptedDrill } from './remove-interrupted-drill.ts'

export type BackupService = {
  /**
   * The continuous backup that this process runs; undefined before the app is ready, and when BACKUP_URL is not set.
   */
  current(): StartedBackup | undefined
  /** The restore drill (test restore) that this process is running; undefined when no drill is running. */
  runningDrill(): RunningDrill | undefined
  /**
   * Starts a restore drill (test restore) unless this process is already running one. Resolves to true when the drill
   * has begun, and to false when another process is running a drill or makes the backups.
   */
  startDrill(): Promise<boolean>
  /**
   * Aborts the running restore drill (test restore); no result is recorded. Resolves when the restored copy of the
   * database is deleted.
   */
  stopDrill(): Promise<void>
}

export type RunningDrill = { readonly startedMs: number; readonly step: DrillStep }

export type BackupDependencies = {
  readonly config: Config
  readonly database: Database
  readonly now: () => number
  readonly ownerUrl?: string | undefined
  /**
   * The spool: the folder into which the embedded PostgreSQL copies its write-ahead log (WAL) segments for the
   * backup; undefined without a backup.
   */
  readonly spool?: string | undefined
  readonly currentShop: CurrentShop
}

/**
 * Starts the continuous backup when the app is ready, and stops the backup when the app closes. Before the start,
 * deletes the restored copy of an interrupted restore drill.
 */
export function openBackup(app: FastifyInstance, dependencies: BackupDependencies): BackupService {
  const { config, database, now, ownerUrl, spool } = dependencies
  const settings = config.backup
  let running: StartedBackup | undefined
  const drills = openDrills(app, dependencies, () => running)
  const isLogical = config.databaseUrl !== undefined
  app.addHook('onReady', async () => {
    await removeInterruptedDrill(database, config.dataDirectory).catch((error: unknown) =>
      app.log.error({ err: error }, 'the copy of an interrupted drill could not be deleted'),
    )
  })
  if (settings && ownerUrl !== undefined && (spool !== undefined || isLogical)) {
    app.addHook('onReady', async () => {
      const options = {
        settings,
        s3: config.s3,
        dataDirectory: config.dataDirectory,
        ownerUrl,
        database,
        now,
        report: (error: unknown, what: string) => app.log.error({ err: error }, what),
        notify: (sentence: string) => app.log.warn(sentence),
      }
      running =
        spool === undefined
          ? await startLogicalBackup({ ...options, backend: config.hosted ? 'hosted' : 'own' })
          : await startBackup({ ...options, spool })
    })
    app.addHook('onClose', async () => {
      await drills.close()
      await running?.stop()
    })
  }
  return { current: () => running, ...drills }
}

type Drill = {
  readonly stopping: AbortController
  /**
   * Resolves to true when the restore drill (test restore) has begun, and to false when another process is running a
   * drill.
   */
  readonly begun: Promise<boolean>
  readonly ended: Promise<void>
}

/** Runs restore drills (test restores) one at a time. */
function openDrills(
  app: FastifyInstance,
  { database, now, ownerUrl = '', config, currentShop }: BackupDependencies,
  current: () => StartedBackup | undefined,
) {
  let isClosing = false
  let running: RunningDrill | undefined
  let drill: Drill | undefined
  const run = async (
    { context: { target, key, dataDirectory } }: StartedBackup,
    begin: () => void,
    signal: AbortSignal,
  ) => {
    const startedMs = now()
    const onStep = (step: DrillStep) => {
      running = { startedMs, step }
      begin()
    }
    const report = (error: unknown) => app.log.error({ err: error }, 'a restore drill failed')
    const isLogical = config.databaseUrl !== undefined
    const shop = { database, target, key, dataDirectory, ownerUrl, now }
    const context = { ...shop, isLogical, onStep, report }
    const result = await performDrill(context, signal)
    if (result === undefined) return
    if (result.outcome !== 'proven')
      app.log.error(result, 'the restore drill did not show that the backup can be restored')
    const owner = { currentShop, ownerEmail: config.mail.owner }
    await database.transaction(asServer, (query) => notifyAboutNights(query, owner))
  }
  const stopDrill = async () => {
    drill?.stopping.abort()
    await drill?.ended
  }
  return {
    runningDrill: () => running,
    async startDrill() {
      const backup = current()
      if (!backup || isClosing) return true
      if (drill) return drill.begun
      if (backup.isElsewhere?.()) return false
      const stopping = new AbortController()
      const { promise: begun, resolve } = Promise.withResolvers<boolean>()
      const ended = run(backup, () => resolve(true), stopping.signal)
        .catch((error: unknown) => {
          if (!(error instanceof DrillRunningError)) throw error
          resolve(false)
        })
        .catch((error: unknown) => app.log.error({ err: error }, 'a restore drill failed'))
        .finally(() => {
          running = undefined
          drill = undefined
          resolve(true)
        })
      drill = { stopping, begun, ended }
      return begun
    },
    stopDrill,
    async close() {
      isClosing = true
      await stopDrill()
    },
  }
}
