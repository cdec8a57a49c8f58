import { isDailyDue } from '#server/platform/backup/base/base-schedule.ts'
import type { Database, Query } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { createRemovalSender } from './send-removals.ts'
import type { BackupService } from './open-backup.ts'

/** A new backup gets this long for its first full copy, before a drill reports that there is none. */
const firstCopyMs = 3_600_000

type Dependencies = {
  readonly database: Database
  readonly backup: BackupService
  readonly drillAt: string
  readonly ownerUrl?: string | undefined
  readonly now: () => number
}

/**
 * Returns the job that sends removals to the target and starts the nightly drill. The first drill starts as soon as a
 * full copy exists, because no earlier drill has shown that the backup can be restored.
 */
export function createDrillSchedule({ database, backup, drillAt, now, ownerUrl }: Dependencies) {
  const openedMs = now()
  const sendRemovals = createRemovalSender(backup, ownerUrl)
  const startDrillWhenDue = async (): Promise<void> => {
    const running = backup.current()
    if (!running || backup.runningDrill() !== undefined) return
    const isWaiting = running.context.state.baseReason !== undefined
    if (isWaiting && now() - openedMs < firstCopyMs) return
    const { startedMs = 0, endedMs } = await database.transaction(asServer, readLastDrill)
    // The copies of a new chain have to be proven, whatever a drill proves that started before they were complete.
    const isUnproven = !isWaiting && startedMs < (running.context.state.unprovenSinceMs ?? 0)
    if (isUnproven || isDailyDue(endedMs, now(), drillAt)) await backup.startDrill()
  }
  return async (): Promise<void> => {
    // First the drill: when the target does not answer, the removals cannot be sent, and the failed drill informs the
    // owner.
    await startDrillWhenDue()
    await sendRemovals()
  }
}

/** When the newest drills started and ended; undefined before the first one. */
async function readLastDrill(query: Query): Promise<{ startedMs?: number; endedMs?: number }> {
  const [row] = await query(
    `select extract(epoch from max(started_at)) * 1000 as started_ms,
       extract(epoch from max(ended_at)) * 1000 as ended_ms
     from internal.backup_drills`,
  )
  if (!row || row.started_ms === null || row.ended_ms === null) return {}
  return { startedMs: Number(row.started_ms), endedMs: Number(row.ended_ms) }
}
