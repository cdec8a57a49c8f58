import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  type DatabaseSettings,
  poolUrlOf,
  type PreparedDatabase,
  prepareDatabase,
} from './bootstrap-database.ts'
import { openDatabase } from './database.ts'
import { readPostmaster } from './embedded-postgres-lock.ts'
import { isRunning } from './running-process.ts'

/**
 * The database for a command beside the site: the one that the running site holds, or, when it is
 * stopped, one of our own until `stop`. A running site is neither migrated nor stopped.
 */
export async function reachDatabase(
  settings: DatabaseSettings,
): Promise<Pick<PreparedDatabase, 'database' | 'ownerUrl' | 'stop'>> {
  const ownerUrl =
    settings.databaseUrl === undefined ? findRunningServer(settings.dataDirectory) : undefined
  if (ownerUrl === undefined) return prepareDatabase(settings)
  const database = openDatabase(poolUrlOf(ownerUrl), 2)
  return { database, ownerUrl, stop: () => database.close() }
}

/** The owner's URL of the embedded server that runs on this data directory, if one does. */
function findRunningServer(dataDirectory: string): string | undefined {
  const home = join(resolve(dataDirectory), 'postgresql')
  const postmaster = readPostmaster(join(home, 'cluster'))
  if (!postmaster || postmaster.status !== 'ready' || !isRunning(postmaster.pid, 'postgres')) {
    return undefined
  }
  const passwordFile = join(home, 'password')
  if (!existsSync(passwordFile)) return undefined
  const password = readFileSync(passwordFile, 'utf8').trim()
  return `postgresql://postgres:${password}@127.0.0.1:${postmaster.port}/postgres`
}
