import { rm } from 'node:fs/promises'
import { createSessionLocks, type Database } from '@local/postgres'
import { drillFolder } from '#server/platform/backup/drill/run-drill.ts'
import { DrillRunningError } from './perform-drill.ts'

/**
 * Deletes the restored copy of a restore drill whose process was killed, because the copy contains readable customer
 * data. Does nothing while another process is running a drill.
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
