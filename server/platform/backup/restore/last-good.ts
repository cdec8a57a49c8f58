import type { BaseManifest } from '#server/platform/backup/base/manifest.ts'
import { parseFileName } from '#server/platform/backup/objects/object-names.ts'
import type { SealedStore } from '#server/platform/backup/objects/sealed-store.ts'
import { chooseSegments } from './choose-segments.ts'
import type { StoredBase, StoredCopy } from './inventory.ts'
import { readIfUsable } from './read-manifest.ts'

/** A base backup that is stored at the backup target. */
type Chosen = { readonly copy: StoredCopy; readonly base: StoredBase }
type Described = Chosen & { readonly store: SealedStore; readonly manifest: BaseManifest }

/**
 * Returns the latest known moment up to which a restore from this base backup certainly has every change, although the
 * segment `hole` and all later segments are missing. Returns at least the end of the base backup.
 */
export async function certainMs(described: Described, hole: string): Promise<number> {
  let certain = described.manifest.endedMs
  for (const later of await readLater(described)) {
    const { startedMs = 0, endedMs, startSegment, stopSegment, brokenAt, lostMs } = later
    if (startSegment <= hole) certain = Math.max(certain, startedMs)
    if (stopSegment < hole) certain = Math.max(certain, endedMs)
    if (brokenAt === hole && lostMs) certain = Math.max(certain, lostMs[0])
  }
  return certain
}

/**
 * Returns a moment. A restore to this moment, or to an earlier one, certainly does not need the file copy with the
 * number `number`. Returns undefined when no such moment is known.
 */
export async function notNeededBeforeMs(
  store: SealedStore,
  { bases }: StoredCopy,
  number: number,
): Promise<number | undefined> {
  let latest: number | undefined
  for (const { name } of bases) {
    const manifest = await readIfUsable(store, name)
    if (manifest && manifest.nextFile <= number) latest = manifest.startedMs ?? latest
  }
  return latest
}

/**
 * Returns the last moment that can be restored from an older base backup without the unusable object `object`;
 * undefined when there is no such moment.
 */
export async function lastGoodBefore(
  { store, copy, base }: Omit<Described, 'manifest'>,
  object: string,
): Promise<number | undefined> {
  const older = copy.bases.filter(({ endedMs }) => endedMs < base.endedMs)
  for (const [nth, candidate] of [...older.entries()].toReversed()) {
    const manifest = await readIfUsable(store, candidate.name)
    if (!manifest) continue
    const described = { store, copy, base: candidate, manifest }
    const limitMs = await limitOf(described, object)
    // A restore to a moment uses the newest base backup before that moment, so the moment must be before the next base
    // backup.
    const beforeMs = older[nth + 1]?.endedMs ?? base.endedMs
    const lastMs = wholeSecondWithin(candidate.endedMs, Math.min(limitMs, beforeMs - 1))
    if (lastMs !== undefined) return lastMs
  }
  return undefined
}

/**
 * Rounds `ms` down to a whole second, which is easier to type. Returns `ms` unchanged if the rounded moment would be
 * before `fromMs`; returns undefined if `ms` itself is before `fromMs`.
 */
export function wholeSecondWithin(fromMs: number, ms: number): number | undefined {
  if (ms < fromMs) return undefined
  const second = Math.floor(ms / 1000) * 1000
  return second < fromMs ? ms : second
}

/**
 * Returns the moment up to which this base backup and its write-ahead log can be restored without the unusable object
 * `object`.
 */
async function limitOf(described: Described, object: string): Promise<number> {
  const { store, copy, manifest } = described
  const { startSegment, stopSegment } = manifest
  const { missing } = chooseSegments(copy, { startSegment, stopSegment, atMs: undefined })
  const [, unusable] = /\/log\/([0-9A-F]{24})/.exec(object) ?? []
  // Recovery stops at the first missing segment, so the segments after it cannot be used.
  const isFirst = unusable !== undefined && unusable >= startSegment
  const hole = isFirst && unusable < (missing ?? 'G') ? unusable : missing
  if (hole !== undefined && hole <= stopSegment) return Number.NEGATIVE_INFINITY
  const logMs = hole === undefined ? Number.POSITIVE_INFINITY : await certainMs(described, hole)
  const number = parseFileName(object)
  if (number === undefined) return logMs
  const notNeededMs = await notNeededBeforeMs(store, copy, number)
  return Math.min(logMs, notNeededMs ?? Number.NEGATIVE_INFINITY)
}

async function readLater({ store, copy, base }: Described): Promise<readonly BaseManifest[]> {
  const later = copy.bases.filter(({ endedMs }) => endedMs > base.endedMs)
  const manifests = await Promise.all(later.map(({ name }) => readIfUsable(store, name)))
  return manifests.filter((manifest) => manifest !== undefined)
}
