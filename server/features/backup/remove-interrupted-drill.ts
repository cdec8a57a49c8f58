import { rm } from 'node:fs/promises'
import { createSessionLocks, type Database } from '@local/postgres'
import { drillFolder } from '#server/platform/backup/drill/run-drill.ts'
import { DrillRunningError } from './perform-drill.ts'

/**
 * Deletes the restored copy of a drill whose process was killed, because its files contain readable data of customers.
 * Does nothing while another process runs a drill.
 */
export async function removeInterruptedDrill(
  database: Database,
  dataDirectory: string,
): Promise<void> {
  const locks = createSessionLocks(database.pool, () => new DrillRunningError())
  try {
    await locks('drill', 0, () => rm(drillFolder(dataDirectory), { recursive: true, force: true }))
  } catch (error) {
    if (!(error instanceof DrillRunningError)) throw error
  }
}
