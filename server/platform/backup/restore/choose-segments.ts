import { segmentAfter } from '#server/platform/backup/log/segments.ts'
import type { StoredCopy, StoredSegment } from './inventory.ts'

export type ChosenSegments = {
  /** The consecutive write-ahead log segments that usually contain every change before the requested moment. */
  readonly segments: readonly StoredSegment[]
  /** The consecutive segments after `segments`, which are needed if PostgreSQL archived the write-ahead log late. */
  readonly later: readonly StoredSegment[]
  /** The first missing segment; undefined if no stored segment follows it and the base backup does not need it. */
  readonly missing: string | undefined
}

/**
 * PostgreSQL usually archives a segment within this many milliseconds after the segment's last commit. If a segment was
 * archived later than this after a given moment, this segment and the earlier ones usually contain all changes up to
 * that moment.
 */
const archiveLagMs = 60_000

/**
 * Chooses the segments of the write-ahead log for a restore. `segments` begins with `startSegment` and ends with the
 * segment by which every change before the moment `atMs` is usually archived, but not before `stopSegment`, which the
 * base backup needs. `later` contains the further segments up to the end of the log or its first gap.
 */
export function chooseSegments(
  { segments: stored }: StoredCopy,
  range: { startSegment: string; stopSegment: string; atMs: number | undefined },
): ChosenSegments {
  const { startSegment, stopSegment, atMs } = range
  // A segment that was sent twice is stored in two objects with the same content.
  const bySegment = new Map(stored.map((object) => [object.segment, object]))
  const isLast = ({ segment, archivedMs }: StoredSegment) =>
    segment >= stopSegment && atMs !== undefined && archivedMs > atMs + archiveLagMs
  const whole: StoredSegment[] = []
  let next = startSegment
  for (let object = bySegment.get(next); object; object = bySegment.get(next)) {
    whole.push(object)
    next = segmentAfter(next)
  }
  const last = whole.findIndex(isLast)
  const count = last === -1 ? whole.length : last + 1
  const hasLater = [...bySegment.keys()].some((segment) => segment > next)
  const missing = hasLater || next <= stopSegment ? next : undefined
  return { segments: whole.slice(0, count), later: whole.slice(count), missing }
}
