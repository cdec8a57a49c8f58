/**
 * The health of the backup. `ok`: the backup is recent, and a restore drill (a test that restores the backup) has
 * succeeded; `late`: the backup is older than allowed or not stored safely (`isSafe`), or no recent restore drill has
 * succeeded; `failed`: the site cannot store the backup, or the last restore drill did not succeed; `off`: no backup is
 * configured.
 */
export type BackupHealth = 'ok' | 'late' | 'failed' | 'off'

export type BackupFacts = {
  /**
   * The moment up to which the backup target has every change of the database; undefined before the first full backup.
   */
  readonly protectedMs: number | undefined
  /**
   * The time since which the site cannot store the backup at the backup target; undefined while the site can store the
   * backup.
   */
  readonly problemSinceMs: number | undefined
  /** The end and the result of the last restore drill; undefined before the first restore drill. */
  readonly lastDrill: { readonly endedMs: number; readonly isProven: boolean } | undefined
  /**
   * Whether the backup target is on another disk than the data directory and has every file, and a copy of the backup
   * key is on another machine.
   */
  readonly isSafe: boolean
  /**
   * Whether the site makes one backup each night instead of a continuous backup, because the database provider gives no
   * access to PostgreSQL's write-ahead log.
   */
  readonly isNightly: boolean
  readonly nowMs: number
}

const minuteMs = 60_000
/**
 * The limit, in milliseconds, within which a continuous backup has to contain each change of the database. Changes that
 * the backup does not contain yet are lost if the machine is destroyed.
 */
const promisedMs = 2 * minuteMs
/**
 * A nightly backup up to this age does not count as late: the longest day has 25 hours, and making a backup takes up to
 * one hour.
 */
const promisedNightlyMs = 26 * 60 * minuteMs
/**
 * An outage of the backup target up to this duration does not change the health, because the site sends the waiting
 * changes when the target responds again.
 */
const toleratedMs = 10 * minuteMs
/** A successful restore drill counts as recent for 50 hours: two nights plus the duration of a restore drill. */
const provenForMs = 50 * 60 * minuteMs

export function backupHealth(facts: BackupFacts): BackupHealth {
  const { protectedMs, problemSinceMs, lastDrill, isSafe, nowMs } = facts
  const promised = facts.isNightly ? promisedNightlyMs : promisedMs
  const hasProblem = problemSinceMs !== undefined && nowMs - problemSinceMs > toleratedMs
  if (hasProblem || lastDrill?.isProven === false) return 'failed'
  if (protectedMs === undefined || nowMs - protectedMs > promised) return 'late'
  return isSafe && lastDrill && nowMs - lastDrill.endedMs < provenForMs ? 'ok' : 'late'
}
