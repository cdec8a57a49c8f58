import {
  type DatabaseSettings,
  poolUrlOf,
  type PreparedDatabase,
  prepareDatabase,
} from './bootstrap-database.ts'
import { openDatabase } from './database.ts'
import { findRunningServer } from './embedded-postgres-cluster.ts'

/**
 * The database for a command beside the site: the embedded one that the running site holds, which is
 * neither migrated nor stopped; else that of the settings, brought up to date and held until `stop`.
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
