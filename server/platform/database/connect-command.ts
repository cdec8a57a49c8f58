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
 * Connects a command-line program of the owner to the database. If the site is running with the embedded server, uses
 * that server, and neither migrates nor stops it. Otherwise starts or connects to the configured database, updates its
 * schema, and uses it until `stop` is called.
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

/**
 * The maximum time in milliseconds to wait for the embedded server of a running site, because the server may be
 * restarting.
 */
const revivalMs = 5_000

async function findServerOfSite(directory: string): Promise<string | undefined> {
  const deadline = Date.now() + revivalMs
  for (;;) {
    const ownerUrl = findRunningServer(directory)
    if (ownerUrl !== undefined || !findOwner(directory) || Date.now() > deadline) return ownerUrl
    await delay(50)
  }
}
