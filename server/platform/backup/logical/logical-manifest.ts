import type { TableMark } from '#server/platform/backup/drill/mark.ts'
import type { SkippedFile } from '#server/platform/backup/files/skipped-file.ts'
import type { KeptFile } from '#server/platform/backup/state.ts'
import type { Applied } from '#server/platform/database/migration-files.ts'

/**
 * The description of a logical backup. It is written last, so that an interrupted backup has no manifest and counts as
 * incomplete.
 */
export type LogicalManifest = {
  readonly kind: 'logical'
  readonly format: 1
  /** The backup contains every change before this moment. */
  readonly takenMs: number
  readonly endedMs: number
  /** The number of stored parts. The parts contain the database rows as lines; files are stored separately. */
  readonly parts: number
  /** The total size of these lines in bytes. */
  readonly bytes: number
  /** The migrations of the database; a restore builds the same schema. */
  readonly migrations: readonly Applied[]
  /** Row counts and checksums of all tables, as of the moment of the backup. */
  readonly tables: readonly TableMark[]
  /** The time zone of the shop, in which people read times. */
  readonly timeZone: string
  /** The files of the data directory by path, and the number of the next copy. */
  readonly files: Readonly<Record<string, KeptFile>>
  readonly nextFile: number
  /** The files whose newest version the backup lacks; undefined for a backup of an earlier version of the site. */
  readonly skippedFiles?: readonly SkippedFile[]
}
