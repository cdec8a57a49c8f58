import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { segmentBytes } from '#server/platform/backup/log/segments.ts'
import { ObjectError, type SealedStore } from '#server/platform/backup/objects/sealed-store.ts'
import type { StoredSegment } from './inventory.ts'

/**
 * Writes the segments into the cluster's own log, where the recovery finds them, up to the first unusable one. Returns
 * the error of that one.
 */
export async function writeLog(
  store: SealedStore,
  segments: readonly StoredSegment[],
  cluster: string,
): Promise<{ segment: string; error: ObjectError } | undefined> {
  for (const { name, segment } of segments) {
    try {
      await writeSegment(join(cluster, 'pg_wal', segment), await store.read(name))
    } catch (error) {
      if (error instanceof ObjectError) return { segment, error }
      throw error
    }
  }
  return undefined
}

/** A segment that ended early ends with zeros, which the file system does not store. */
async function writeSegment(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content.subarray(0, usedBytes(content)))
    await file.truncate(segmentBytes)
  } finally {
    await file.close()
  }
}

const pageBytes = 8192

/** The number of bytes before the zeros at the end, in whole pages. */
function usedBytes(content: Buffer): number {
  const zeros = Buffer.alloc(pageBytes)
  let end = content.length
  while (end > 0 && content.subarray(end - pageBytes, end).equals(zeros)) end -= pageBytes
  return end
}
