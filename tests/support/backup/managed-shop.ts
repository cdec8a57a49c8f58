import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openDatabase } from '@local/postgres'
import { startLogicalBackup } from '#server/platform/backup/logical/start-logical-backup.ts'
import type { StartedBackup } from '#server/platform/backup/start-backup.ts'
import type { Backend } from '#server/platform/storage/shop-tables.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { createHostedDatabase } from '#tests/support/database/hosted-database.ts'
import { noBucket } from './backed-up-shop.ts'

/** A shop without a site. Its database is on a separate server, and its processes make a backup every night. */
export type ManagedShop = {
  readonly dataDirectory: string
  /** The folder that receives the backup. */
  readonly target: string
  readonly url: string
  readonly database: TestDatabase
  /** The failures that the backups reported. */
  readonly reports: string[]
  /** Advances the clock of all processes by `ms` milliseconds. */
  passMs(ms: number): void
  now(): number
  /** Starts a process with a connection pool of its own. */
  startProcess(): Promise<ManagedProcess>
  destroy(): Promise<void>
}

export type ManagedProcess = { readonly backup: StartedBackup; stop(): Promise<void> }

export async function createManagedShop(backend: Backend = 'own'): Promise<ManagedShop> {
  const root = mkdtempSync(join(tmpdir(), 'torque-managed-'))
  const [dataDirectory, target] = [join(root, 'data'), join(root, 'target')]
  mkdirSync(join(dataDirectory, 'outbox'), { recursive: true })
  mkdirSync(target)
  const database = await (backend === 'own' ? createTestDatabase() : createHostedDatabase())
  const reports: string[] = []
  const url = pathToFileURL(target).href
  let passedMs = 0
  const now = () => Date.now() + passedMs
  return {
    dataDirectory,
    target,
    url,
    database,
    reports,
    now,
    passMs: (ms) => (passedMs += ms),
    async startProcess() {
      const pool = openDatabase(database.url)
      const backup = await startLogicalBackup({
        settings: { url, keepDays: 30, spoolMegabytes: 2000, drillAt: '03:10' },
        s3: noBucket,
        dataDirectory,
        ownerUrl: database.ownerUrl,
        backend,
        database: pool,
        now,
        report: (error, what) => reports.push(`${what}: ${String(error)}`),
        pace: { lookEveryMs: 20, pauseMs: 100 },
      })
      const stop = async () => {
        await backup.stop()
        await pool.close()
      }
      return { backup, stop }
    },
    async destroy() {
      await database.drop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
