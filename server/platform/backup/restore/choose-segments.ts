import { segmentAfter } from '#server/platform/backup/log/segments.ts'
import type { StoredCopy, StoredSegment } from './inventory.ts'

export type ChosenSegments = {
  /** The segments without a gap, in their order. */
  readonly segments: readonly StoredSegment[]
  /** The first missing segment, when later ones exist that the restore could need. */
  readonly missing: string | undefined
}

/**
 * The server archives a segment within this time after its last commit. A segment that was archived later than this
 * after a moment therefore ends after the moment.
 */
const archiveLagMs = 60_000

/**
 * Chooses the log of a restore: from `startSegment` until everything before the moment `atMs` is certainly in it, or to
 * the end of the log. At least up to `stopSegment`, without which the base backup is unusable.
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
