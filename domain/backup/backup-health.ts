/**
 * `ok`: the backup is fresh, and a drill has proven it; `late`: it is behind, or not proven yet; `failed`: the shop is
 * not protected; `off`: no backup is configured.
 */
export type BackupHealth = 'ok' | 'late' | 'failed' | 'off'

export type BackupFacts = {
  /** The target has every change up to this moment; undefined before the first base backup. */
  readonly protectedMs: number | undefined
  /** Since when the target stores nothing; undefined while it does. */
  readonly problemSinceMs: number | undefined
  /** The end and the result of the last drill; undefined before the first. */
  readonly lastDrill: { readonly endedMs: number; readonly isProven: boolean } | undefined
  /** Whether the target is on another disk, and a copy of the key off this machine. */
  readonly isSafe: boolean
  /** Whether a backup is made once a night, because the provider of the database keeps its log. */
  readonly isNightly: boolean
  readonly nowMs: number
}

const minuteMs = 60_000
/** At most this much is lost when the machine burns. */
const promisedMs = 2 * minuteMs
/** The time between two nightly backups; the longest day has 25 hours, and a backup takes its time. */
const promisedNightlyMs = 26 * 60 * minuteMs
/** A shorter outage of the target is not worth a warning: what waits is sent when the target answers. */
const toleratedMs = 10 * minuteMs
/** Two nights without a proven backup, with time for the drill itself. */
const provenForMs = 50 * 60 * minuteMs

export function backupHealth(facts: BackupFacts): BackupHealth {
  const { protectedMs, problemSinceMs, lastDrill, isSafe, nowMs } = facts
  const promised = facts.isNightly ? promisedNightlyMs : promisedMs
  const hasProblem = problemSinceMs !== undefined && nowMs - problemSinceMs > toleratedMs
  if (hasProblem || lastDrill?.isProven === false) return 'failed'
  if (protectedMs === undefined || nowMs - protectedMs > promised) return 'late'
  return isSafe && lastDrill && nowMs - lastDrill.endedMs < provenForMs ? 'ok' : 'late'
}
