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
 * The database for a command beside the site: the embedded one that the running site holds, which is
 * neither migrated nor stopped; else that of the settings, brought up to date and held until `stop`.
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

/** A running site may be starting its server again at this moment. */
const revivalMs = 5_000

async function findServerOfSite(directory: string): Promise<string | undefined> {
  const deadline = Date.now() + revivalMs
  for (;;) {
    const ownerUrl = findRunningServer(directory)
    if (ownerUrl !== undefined || !findOwner(directory) || Date.now() > deadline) return ownerUrl
    await delay(50)
  }
}
