import { type BackupContext, changeState } from './backup-context.ts'

const dayMs = 86_400_000

/**
 * Remembers the period from the break of the chain to the base backup that was made after it. Forgets periods before the
 * oldest moment that can be restored.
 */
export function noteLostPeriod(context: BackupContext, brokenMs: number, keepDays: number): void {
  const { base, lostPeriods = [] } = context.state
  if (!base) return
  const oldestMs = context.now() - keepDays * dayMs
  const kept = lostPeriods.filter(([, toMs]) => toMs > oldestMs)
  changeState(context, { lostPeriods: [...kept, [brokenMs, base.endedMs]] })
}
