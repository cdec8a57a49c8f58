import { isDailyDue } from '#server/platform/backup/base/base-schedule.ts'
import type { Database } from '@local/postgres'
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
    const lastMs = await database.transaction(asServer, async (query) => {
      const [row] = await query(
        `select extract(epoch from max(ended_at)) * 1000 as ms from internal.backup_drills`,
      )
      return row?.ms === null || row === undefined ? undefined : Number(row.ms)
    })
    // The copies of a new chain have to be proven, whatever an earlier drill proved.
    const isUnproven = !isWaiting && (lastMs ?? 0) < (running.context.state.unprovenSinceMs ?? 0)
    if (isUnproven || isDailyDue(lastMs, now(), drillAt)) await backup.startDrill()
  }
  return async (): Promise<void> => {
    // First the drill: when the target does not answer, the removals cannot be sent, and the failed drill informs the
    // owner.
    await startDrillWhenDue()
    await sendRemovals()
  }
}
