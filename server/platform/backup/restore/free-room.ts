import { statfs } from 'node:fs/promises'
import { StartupError } from '@local/postgres'
import type { LogicalManifest } from '#server/platform/backup/logical/logical-manifest.ts'
import { segmentBytes } from '#server/platform/backup/log/segments.ts'
import type { KeptFile } from '#server/platform/backup/state.ts'
import type { StoredSegment } from './inventory.ts'
import type { OpenedCopy } from './opened-copy.ts'
import { RestoreError } from './restore-error.ts'

/** The required free space is a fifth larger than the space that the restored shop is expected to need. */
const reserve = 1.2

/** The assumed maximum ratio of the size of a write-ahead log segment to the size of its compressed object. */
const unpackedTimes = 10

const emptyClusterBytes = 100 * 1024 * 1024

/**
 * The disk space in bytes for the restored PostgreSQL cluster. Recovery writes each change in the write-ahead log
 * once more into the database files.
 */
export function clusterRoom({ manifest, segments }: Pick<OpenedCopy, 'manifest' | 'segments'>) {
  return (manifest.clusterBytes + 2 * sum(segments.map(unpackedBytes))) * reserve
}

/** Most write-ahead log segments end with zeros, which take no space in a sparse file. */
const unpackedBytes = ({ bytes }: StoredSegment) => Math.min(segmentBytes, bytes * unpackedTimes)

/**
 * A database with its indexes and its write-ahead log needs about 100 MB plus three times the size of its rows as text.
 */
export const logicalRoom = ({ bytes }: Pick<LogicalManifest, 'bytes'>) =>
  (bytes * 3 + emptyClusterBytes) * reserve

/**
 * The disk space in bytes for the files of the data directory, including file copies that are newer than the base
 * backup.
 */
export function filesRoom(
  { files, nextFile }: Pick<LogicalManifest, 'files' | 'nextFile'>,
  { files: stored }: Pick<OpenedCopy['copy'], 'files'>,
): number {
  const kept = Object.values<KeptFile>(files).map(({ bytes }) => bytes)
  const later = stored.filter(({ number }) => number >= nextFile).map(({ bytes }) => bytes)
  return sum([...kept, ...later]) * reserve
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** Returns the number of free bytes on the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Throws `RestoreError` when the disk of the folder does not have enough free space for a restore. */
export async function refuseWithoutRoom(folder: string, neededBytes: number): Promise<void> {
  const free = await freeBytes(folder)
  if (free < neededBytes)
    throw new RestoreError({ reason: 'no room', neededBytes, freeBytes: free, folder })
}

/**
 * Whether a restore failed because the disk became full. The error comes from this process or from the recovering
 * PostgreSQL server.
 */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof StartupError) return error.message.includes('No space left on device')
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? ''
  return ['ENOSPC', 'EDQUOT'].includes(code)
}
