import { type BackupContext, changeState } from './backup-context.ts'

const dayMs = 86_400_000

/**
 * Records the period between a gap in the write-ahead log segments (at `brokenMs`) and the base backup after the gap,
 * because no moment of that period can be restored. Deletes recorded periods that ended before the oldest restorable
 * moment.
 */
export function noteLostPeriod(context: BackupContext, brokenMs: number, keepDays: number): void {
  const { base, lostPeriods = [] } = context.state
  if (!base) return
  const oldestMs = context.now() - keepDays * dayMs
  const kept = lostPeriods.filter(([, toMs]) => toMs > oldestMs)
  changeState(context, { lostPeriods: [...kept, [brokenMs, base.endedMs]] })
}
