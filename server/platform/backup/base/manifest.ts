import type { SkippedFile } from '#server/platform/backup/files/skipped-file.ts'
import type { KeptFile } from '#server/platform/backup/state.ts'

/** The description of a base backup, which a restore reads first. */
export type BaseManifest = {
  readonly format: 1
  /** The content of the file backup_label, with which PostgreSQL recognizes a base backup. */
  readonly label: string
  /** The content of the file with the password of PostgreSQL's superuser. */
  readonly password: string
  /** PostgreSQL's version as a number: 180004 is 18.4. */
  readonly version: number
  /** The first and the last segment of the write-ahead log that a restore of this base backup needs. */
  readonly startSegment: string
  readonly stopSegment: string
  /**
   * The start of this base backup. Every change that was committed before this moment is in the write-ahead log before
   * `startSegment`, and every file that was written before this moment has a number below `nextFile`. Undefined for a
   * base backup that an earlier version of the site made.
   */
  readonly startedMs?: number
  readonly endedMs: number
  readonly parts: number
  /** The size of the cluster's files in bytes, without the write-ahead log. */
  readonly clusterBytes: number
  /** The time zone of the shop, in which the restore command reads and prints times. */
  readonly timeZone: string
  /**
   * The period before this base backup that cannot be restored, because write-ahead log (WAL) segments are missing.
   * Every change before the start of the period can be restored.
   */
  readonly lostMs: readonly [from: number, to: number] | undefined
  /** The first missing WAL segment, at which the period that cannot be restored begins. */
  readonly brokenAt?: string | undefined
  /** The copied files of the data directory, by path. `nextFile` is the number that the next file copy gets. */
  readonly files: Readonly<Record<string, KeptFile>>
  readonly nextFile: number
  /**
   * The files whose newest version is missing in the backup; undefined for a backup that an earlier version of the
   * site made.
   */
  readonly skippedFiles?: readonly SkippedFile[]
}
