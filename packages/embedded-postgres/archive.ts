import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from './account.ts'

/**
 * Returns the folder (spool) next to the cluster, to which the server copies finished segments of the write-ahead log.
 */
export const spoolOf = (directory: string): string => join(directory, 'postgresql', 'spool')

/**
 * Creates the spool (the folder for write-ahead log segments) when the folder is missing. The account of the server can
 * write to the spool.
 */
export function createSpool(directory: string, { owner }: Account): void {
  const spool = spoolOf(directory)
  if (!existsSync(spool)) mkdirSync(spool, { mode: 0o700 })
  if (owner !== undefined) chownSync(spool, owner, owner)
}

/**
 * Returns the settings with which the server copies each finished segment of the write-ahead log into the spool folder.
 * `basic_archive` writes a segment under another name and renames it, without a shell (PostgreSQL manual,
 * "basic_archive").
 */
export const archiveSettings = (
  directory: string,
  everySeconds: number,
): Readonly<Record<string, string>> => ({
  archive_mode: 'on',
  archive_library: 'basic_archive',
  archive_timeout: String(everySeconds),
  'basic_archive.archive_directory': spoolOf(directory),
})
