import { type BackupContext, changeState } from './backup-context.ts'

const dayMs = 86_400_000

/**
 * Records the period between the gap in the WAL segments and the next base backup, which cannot be restored. Deletes
 * recorded periods before the oldest restorable moment.
 */
export function noteLostPeriod(context: BackupContext, brokenMs: number, keepDays: number): void {
  const { base, lostPeriods = [] } = context.state
  if (!base) return
  const oldestMs = context.now() - keepDays * dayMs
  const kept = lostPeriods.filter(([, toMs]) => toMs > oldestMs)
  changeState(context, { lostPeriods: [...kept, [brokenMs, base.endedMs]] })
}
