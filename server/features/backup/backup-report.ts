import type { Backup } from '#contracts/backup.ts'
import { type BackupSource, healthOf, readBackup } from './read-backup.ts'

/**
 * The section of the `GET /healthz` response about the backup. The section contains no URL, no path and no count,
 * because anyone can request it.
 */
export type BackupReport = {
  readonly state: Backup['state']
  readonly newestAgeSeconds: number | null
  readonly lastDrill: { readonly at: string; readonly outcome: string } | null
}

/**
 * The minimum time between two computations of the report. Health checks need no sign-in, so anyone can send them
 * often.
 */
const freshMs = 5_000

const off: BackupReport = { state: 'off', newestAgeSeconds: null, lastDrill: null }
/** The backup report before the first computation. */
const unknown: BackupReport = { ...off, state: 'late' }

/**
 * Returns a function that reports the state of the backup. While the database does not respond, the function uses the
 * last values that it read, and the reported age of the backup keeps increasing.
 */
export function createBackupReport(source: BackupSource): () => Promise<BackupReport> {
  let last: Backup | undefined
  let readMs = Number.NEGATIVE_INFINITY
  return async () => {
    if (source.config.backup === undefined) return off
    if (source.now() - readMs >= freshMs) {
      readMs = source.now()
      last = await readBackup(source).catch(() => last)
    }
    return last ? toReport(last, source.now()) : unknown
  }
}

function toReport(backup: Backup, nowMs: number): BackupReport {
  const { protectedUntil, drills } = backup
  const [drill] = drills
  return {
    state: healthOf(backup, nowMs),
    newestAgeSeconds:
      protectedUntil === null
        ? null
        : Math.max(0, Math.round((nowMs - Date.parse(protectedUntil)) / 1000)),
    lastDrill: drill ? { at: drill.endedAt, outcome: drill.outcome } : null,
  }
}
