import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { isSegmentName } from './segments.ts'

export type SpooledSegment = {
  readonly segment: string
  readonly path: string
  readonly bytes: number
  /** The time at which PostgreSQL finished the write-ahead log segment, in whole milliseconds since 1970. */
  readonly archivedMs: number
}

/**
 * Lists the finished write-ahead log segments in the spool (the folder of unsent segments), in the order of the log.
 */
export async function listSpool(spool: string): Promise<readonly SpooledSegment[]> {
  const names = (await readNames(spool)).filter(isSegmentName)
  const segments: SpooledSegment[] = []
  for (const segment of names.sort()) {
    const path = join(spool, segment)
    const status = await stat(path).catch(() => undefined)
    if (!status) continue
    segments.push({ segment, path, bytes: status.size, archivedMs: Math.trunc(status.mtimeMs) })
  }
  return segments
}

async function readNames(spool: string): Promise<string[]> {
  return readdir(spool).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

/**
 * Removes the timeline history files and backup history files that PostgreSQL archives together with the segments,
 * because no restore needs them. Recreates the spool (the folder of unsent segments) if it is missing, because
 * PostgreSQL would otherwise never delete its write-ahead log.
 */
export async function tidySpool(spool: string): Promise<void> {
  await mkdir(spool, { recursive: true, mode: 0o700 })
  for (const name of await readNames(spool)) {
    if (/\.(history|backup)$/.test(name)) await rm(join(spool, name), { force: true })
  }
}

/**
 * Returns the maximum size of the spool (the folder of unsent segments) in bytes: `settingMegabytes` or half of the
 * free disk space, whichever is smaller.
 */
export async function spoolLimit(spool: string, settingMegabytes: number): Promise<number> {
  const { bavail, bsize } = await statfs(spool)
  return Math.min(settingMegabytes * 1024 * 1024, (bavail * bsize) / 2)
}
