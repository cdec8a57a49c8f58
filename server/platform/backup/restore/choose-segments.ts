import { segmentAfter } from '#server/platform/backup/log/segments.ts'
import type { StoredCopy, StoredSegment } from './inventory.ts'

export type ChosenSegments = {
  /** The consecutive write-ahead log segments that usually contain every change before the requested moment. */
  readonly segments: readonly StoredSegment[]
  /** The consecutive segments after `segments`, which are needed if PostgreSQL archived the write-ahead log late. */
  readonly later: readonly StoredSegment[]
  /**
   * The first missing segment. Undefined if the target has no segment after the gap and the base backup does not need
   * the missing segment.
   */
  readonly missing: string | undefined
}

/**
 * The time in milliseconds within which PostgreSQL usually archives a segment after the last commit in the segment. If
 * a segment was archived more than this time after a moment, this segment and the earlier ones usually contain all
 * changes up to the moment.
 */
const archiveLagMs = 60_000

/**
 * Chooses the segments of the write-ahead log for a restore to the moment `atMs`. `segments` begins with `startSegment`
 * and usually contains every change before the moment. `segments` includes at least the segments up to `stopSegment`,
 * which the base backup needs. `later` contains the segments after these, up to the end of the log or its first gap.
 */
export function chooseSegments(
  { segments: stored }: StoredCopy,
  range: { startSegment: string; stopSegment: string; atMs: number | undefined },
): ChosenSegments {
  const { startSegment, stopSegment, atMs } = range
  // If a segment was sent twice, the target has two objects with the same content; either object can be used.
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
