import { segmentAfter } from '#server/platform/backup/log/segments.ts'
import type { StoredCopy, StoredSegment } from './inventory.ts'

export type ChosenSegments = {
  /** The segments without a gap, in their order. */
  readonly segments: readonly StoredSegment[]
  /** The first missing segment, when later ones exist that the restore could need. */
  readonly missing: string | undefined
}

/**
 * The server archives a segment within this time after the segment's last commit. A segment that was archived more than
 * this time after a moment therefore reaches beyond the moment.
 */
const archiveLagMs = 60_000

/**
 * Chooses the segments of the log for a restore: from `startSegment` up to the one that certainly contains everything
 * before the moment `atMs`, or to the end of the log. Includes at least `stopSegment`, which the base backup needs.
 */
export function chooseSegments(
  { segments: stored }: StoredCopy,
  range: { startSegment: string; stopSegment: string; atMs: number | undefined },
): ChosenSegments {
  const { startSegment, stopSegment, atMs } = range
  // A segment that was sent twice has two objects with the same content.
  const bySegment = new Map(stored.map((object) => [object.segment, object]))
  const isLast = ({ segment, archivedMs }: StoredSegment) =>
    segment >= stopSegment && atMs !== undefined && archivedMs > atMs + archiveLagMs
  const segments: StoredSegment[] = []
  let next = startSegment
  for (let object = bySegment.get(next); object; object = bySegment.get(next)) {
    segments.push(object)
    if (isLast(object)) return { segments, missing: undefined }
    next = segmentAfter(next)
  }
  const hasLater = [...bySegment.keys()].some((segment) => segment > next)
  return { segments, missing: hasLater || next <= stopSegment ? next : undefined }
}
