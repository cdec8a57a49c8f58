import { setTimeout as delay } from 'node:timers/promises'
import {
  type DatabaseSettings,
  poolUrlOf,
  type PreparedDatabase,
  prepareDatabase,
} from './bootstrap-database.ts'
import { openDatabase } from '@local/postgres'
import { findOwner, findRunningServer } from '@local/embedded-postgres'

/**
 * Connects a command to the database: to the embedded server of the running site, which is neither migrated nor
 * stopped; otherwise to the configured database, whose schema is updated and which runs until `stop`.
 */
export async function connectCommand(
  settings: DatabaseSettings,
): Promise<Pick<PreparedDatabase, 'database' | 'ownerUrl' | 'stop'>> {
  const ownerUrl =
    settings.databaseUrl === undefined ? await findServerOfSite(settings.dataDirectory) : undefined
  if (ownerUrl === undefined) return prepareDatabase(settings)
  const database = openDatabase(poolUrlOf(ownerUrl), { maxConnections: 2 })
  return { database, ownerUrl, stop: () => database.close() }
}

/** The maximum wait for the embedded server of a running site, which may be restarting. */
const revivalMs = 5_000

async function findServerOfSite(directory: string): Promise<string | undefined> {
  const deadline = Date.now() + revivalMs
  for (;;) {
    const ownerUrl = findRunningServer(directory)
    if (ownerUrl !== undefined || !findOwner(directory) || Date.now() > deadline) return ownerUrl
    await delay(50)
  }
}
