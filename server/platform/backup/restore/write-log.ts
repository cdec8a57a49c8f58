import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { segmentBytes } from '#server/platform/backup/log/segments.ts'
import { ObjectError, type SealedStore } from '#server/platform/backup/objects/sealed-store.ts'
import type { StoredSegment } from './inventory.ts'

/**
 * Writes the write-ahead log segments into the folder pg_wal of the cluster, where the recovery reads them. Stops at
 * the first unusable segment and returns its error.
 */
export async function writeLog(
  store: SealedStore,
  segments: readonly StoredSegment[],
  cluster: string,
): Promise<{ segment: string; error: ObjectError } | undefined> {
  const folder = join(cluster, 'pg_wal')
  // When root runs the restore, the account that runs the database server must own the files. Each file therefore gets
  // the owner of the folder pg_wal.
  const { uid, gid } = await stat(folder)
  for (const { name, segment } of segments) {
    try {
      await writeSegment(join(folder, segment), await store.read(name), [uid, gid])
    } catch (error) {
      if (error instanceof ObjectError) return { segment, error }
      throw error
    }
  }
  return undefined
}

/**
 * Writes a segment to a new file. A segment that PostgreSQL closed early ends with zeros; the file is extended to its
 * full size without writing these zeros.
 */
async function writeSegment(
  path: string,
  content: Buffer,
  owner: readonly [uid: number, gid: number],
): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content.subarray(0, usedBytes(content)))
    await file.truncate(segmentBytes)
    if (process.getuid?.() === 0) await file.chown(...owner)
  } finally {
    await file.close()
  }
}

const pageBytes = 8192

/** Returns the number of bytes before the zeros at the end of a segment, in whole pages. */
function usedBytes(content: Buffer): number {
  const zeros = Buffer.alloc(pageBytes)
  let end = content.length
  while (end > 0 && content.subarray(end - pageBytes, end).equals(zeros)) end -= pageBytes
  return end
}
