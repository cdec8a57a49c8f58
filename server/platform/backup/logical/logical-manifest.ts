import type { TableMark } from '#server/platform/backup/drill/mark.ts'
import type { SkippedFile } from '#server/platform/backup/files/skipped-file.ts'
import type { KeptFile } from '#server/platform/backup/state.ts'
import type { Applied } from '#server/platform/database/migration-files.ts'

/**
 * The description of a logical backup. The description is written last, so that an interrupted backup has no
 * description and counts as incomplete.
 */
export type LogicalManifest = {
  readonly kind: 'logical'
  readonly format: 1
  /** Every change that was committed before this moment (in milliseconds since 1970) is in the backup. */
  readonly takenMs: number
  readonly endedMs: number
  /** The number of stored parts. The parts contain the database rows as lines of text; files are stored separately. */
  readonly parts: number
  /** The total size of the database rows, as lines of text, in bytes. */
  readonly bytes: number
  /** The migrations of the backed-up database, from which a restore builds the same schema. */
  readonly migrations: readonly Applied[]
  /** Row counts and checksums of all tables, as of the moment of the backup. */
  readonly tables: readonly TableMark[]
  /** The time zone of the shop, in which the restore command prints times. */
  readonly timeZone: string
  /** The copied files of the data directory, by path. `nextFile` is the number that the next file copy gets. */
  readonly files: Readonly<Record<string, KeptFile>>
  readonly nextFile: number
  /**
   * The files whose newest version is missing in the backup; undefined for a backup that an earlier version of the
   * site made.
   */
  readonly skippedFiles?: readonly SkippedFile[]
}
