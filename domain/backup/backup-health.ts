/**
 * `ok`: the backup is fresh, and a drill has proven it; `late`: the backup is older than promised, or no drill has
 * proven it yet; `failed`: the shop is not protected; `off`: no backup is configured.
 */
export type BackupHealth = 'ok' | 'late' | 'failed' | 'off'

export type BackupFacts = {
  /** The target has every change up to this moment; undefined before the first base backup. */
  readonly protectedMs: number | undefined
  /** The time since which the target stores nothing; undefined while the target works. */
  readonly problemSinceMs: number | undefined
  /** The end and the result of the last drill; undefined before the first drill. */
  readonly lastDrill: { readonly endedMs: number; readonly isProven: boolean } | undefined
  /** Whether the target is on another disk and has every file, and a copy of the key is on another machine. */
  readonly isSafe: boolean
  /**
   * Whether the site makes a backup once a night, because the provider of the database gives no access to the
   * database's log.
   */
  readonly isNightly: boolean
  readonly nowMs: number
}

const minuteMs = 60_000
/** The maximum age of the changes that the shop loses when the machine is destroyed. */
const promisedMs = 2 * minuteMs
/**
 * The maximum time between two nightly backups: the longest day has 25 hours, and making a backup takes up to one hour.
 */
const promisedNightlyMs = 26 * 60 * minuteMs
/**
 * A shorter outage of the target does not change the health, because the site sends the unsent log when the target
 * responds again.
 */
const toleratedMs = 10 * minuteMs
/** A proven backup counts for two nights plus the duration of a drill. */
const provenForMs = 50 * 60 * minuteMs

export function backupHealth(facts: BackupFacts): BackupHealth {
  const { protectedMs, problemSinceMs, lastDrill, isSafe, nowMs } = facts
  const promised = facts.isNightly ? promisedNightlyMs : promisedMs
  const hasProblem = problemSinceMs !== undefined && nowMs - problemSinceMs > toleratedMs
  if (hasProblem || lastDrill?.isProven === false) return 'failed'
  if (protectedMs === undefined || nowMs - protectedMs > promised) return 'late'
  return isSafe && lastDrill && nowMs - lastDrill.endedMs < provenForMs ? 'ok' : 'late'
}
