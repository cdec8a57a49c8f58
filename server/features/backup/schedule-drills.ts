import { isDailyDue } from '#server/platform/backup/base/base-schedule.ts'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { createErasureSender } from './send-erasures.ts'
import type { BackupService } from './open-backup.ts'

/** The time that a new backup has for its first full copy before a drill reports that the copy is missing. */
const firstCopyMs = 3_600_000

type Dependencies = {
  readonly database: Database
  readonly backup: BackupService
  readonly drillAt: string
  readonly ownerUrl?: string | undefined
  readonly now: () => number
}

/**
 * Returns a job that sends the erasures of customers to the target and starts the nightly drill. The first drill starts
 * as soon as a full copy exists, because no earlier drill has shown that the backup can be restored.
 */
export function createDrillSchedule({ database, backup, drillAt, now, ownerUrl }: Dependencies) {
  const openedMs = now()
  const sendErasures = createErasureSender(backup, ownerUrl)
  return async (): Promise<void> => {
    await sendErasures()
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
    if (isDailyDue(lastMs, now(), drillAt)) backup.startDrill()
  }
}
