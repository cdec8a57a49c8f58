import type { Backup } from '#contracts/backup.ts'
import { type BackupSource, readBackup } from './read-backup.ts'

/** The part of `GET /healthz` about the backup. It contains no address, no path and no count. */
export type BackupReport = {
  readonly state: Backup['state']
  readonly newestAgeSeconds: number | null
  readonly lastDrill: { readonly at: string; readonly outcome: string } | null
}

/**
 * The minimum time between two computations of the report. Health checks need no sign-in, so anyone can request them
 * often.
 */
const freshMs = 5_000

const off: BackupReport = { state: 'off', newestAgeSeconds: null, lastDrill: null }

/**
 * Returns a function that reports the state of the backup, or its last known state while the database does not respond.
 */
export function createBackupReport(source: BackupSource): () => Promise<BackupReport> {
  let last = off
  let readMs = Number.NEGATIVE_INFINITY
  return async () => {
    if (source.config.backup === undefined) return off
    if (source.now() - readMs < freshMs) return last
    readMs = source.now()
    last = await readBackup(source)
      .then((backup) => toReport(backup, source.now()))
      .catch(() => last)
    return last
  }
}

function toReport({ state, protectedUntil, drills: [drill] }: Backup, nowMs: number): BackupReport {
  return {
    state,
    newestAgeSeconds:
      protectedUntil === null
        ? null
        : Math.max(0, Math.round((nowMs - Date.parse(protectedUntil)) / 1000)),
    lastDrill: drill ? { at: drill.endedAt, outcome: drill.outcome } : null,
  }
}
