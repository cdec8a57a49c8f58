import { isDailyDue } from '#server/platform/backup/base/base-schedule.ts'
import type { Database, Query } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { createRemovalSender } from './send-removals.ts'
import type { BackupService } from './open-backup.ts'

/**
 * The maximum time for which the job waits for the first full backup. After this time, the job starts a restore drill
 * (test restore), which then reports a failure.
 */
const firstCopyMs = 3_600_000

type Dependencies = {
  readonly database: Database
  readonly backup: BackupService
  readonly drillAt: string
  readonly ownerUrl?: string | undefined
  readonly now: () => number
}

/**
 * Returns the job that starts the nightly restore drill and uploads the list of erased customers to the backup
 * target. The first drill starts as soon as a full backup exists, because nothing has shown yet that the backup can
 * be restored.
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
    // After a gap (missing segments) in the backed-up write-ahead log, the job starts another restore drill as soon as
    // the next full backup is complete. An earlier drill proves nothing about the backup after the gap.
    const isUnproven = !isWaiting && startedMs < (running.context.state.unprovenSinceMs ?? 0)
    if (isUnproven || isDailyDue(endedMs, now(), drillAt)) await backup.startDrill()
  }
  return async (): Promise<void> => {
    // The restore drill runs before the upload. When the backup target is unavailable, the upload throws, but the
    // failed drill has already notified the owner.
    await startDrillWhenDue()
    await sendRemovals()
  }
}

/**
 * Reads the latest start and the latest end of all restore drills (test restores); both are undefined before the first
 * drill.
 */
async function readLastDrill(query: Query): Promise<{ startedMs?: number; endedMs?: number }> {
  const [row] = await query(
    `select extract(epoch from max(started_at)) * 1000 as started_ms,
       extract(epoch from max(ended_at)) * 1000 as ended_ms
     from internal.backup_drills`,
  )
  if (!row || row.started_ms === null || row.ended_ms === null) return {}
  return { startedMs: Number(row.started_ms), endedMs: Number(row.ended_ms) }
}
