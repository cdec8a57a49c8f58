import type { StoredCopy } from './inventory.ts'
import { newestMs } from './inventory.ts'

/**
 * An incarnation (backup history) in a lineage (all incarnations that belong to the restored shop). A restore uses the
 * staff accounts, document numbers and customer erasures that this incarnation sent to the target up to `untilMs`, or
 * all of them if `untilMs` is undefined.
 */
type LineagePart = { readonly folder: string; readonly untilMs: number | undefined }

/**
 * Each restored shop that makes backups begins a new backup history at the target (an incarnation). A lineage consists
 * of the incarnation to restore, the earlier ones that it continues, and the later ones that continue it. A restore
 * applies the newest staff accounts and document numbers of the lineage, and all of its customer erasures.
 */
export type Lineage = readonly LineagePart[]

/**
 * Returns the incarnation (backup history) that a restore uses. Without a requested moment, returns the one with the
 * newest data. With a moment, returns the one that was in use at that moment, according to its stored data and its
 * claims (hourly records of the process that makes the backups). If the original shop and a copy that was restored for
 * a test were both in use at that moment, returns the incarnation of the original shop.
 */
export function chooseIncarnation(
  copies: readonly StoredCopy[],
  atMs: number | undefined,
): StoredCopy | undefined {
  if (atMs === undefined) return newestOf(copies, newestMs)
  const able = copies.filter(({ bases }) => bases.some(({ endedMs }) => endedMs <= atMs))
  const live = able.filter((copy) => lastSignMs(copy) >= atMs)
  const first = live.filter(
    (copy) => !ancestorsOf(copies, copy).some((ancestor) => live.includes(ancestor)),
  )
  return first.toSorted((a, b) => beganMs(a) - beganMs(b))[0] ?? newestOf(able, lastSignMs)
}

/**
 * Returns the lineage of the incarnation (backup history) `chosen`. The lineage begins with the earlier incarnations
 * that `chosen` continues, each up to the moment at which the next one separated from it. The lineage ends with
 * `chosen` and the later incarnations that continue `chosen`. Each later incarnation must have newer data, or a newer
 * claim (hourly record), than the one before it. If `isExact` is true, the later incarnations are omitted.
 */
export function lineageOf(
  copies: readonly StoredCopy[],
  chosen: StoredCopy,
  isExact: boolean,
): Lineage {
  const earlier: LineagePart[] = []
  let child = chosen
  for (const ancestor of ancestorsOf(copies, chosen)) {
    earlier.push({ folder: ancestor.folder, untilMs: child.claim?.origin?.separatedMs })
    child = ancestor
  }
  const later = isExact ? [] : successorsOf(copies, chosen)
  return [...earlier, ...[chosen, ...later].map(({ folder }) => ({ folder, untilMs: undefined }))]
}

/**
 * Returns the last moment at which data or a claim (hourly record) shows that the incarnation (backup history) was in
 * use.
 */
export const lastSignMs = (copy: StoredCopy): number =>
  Math.max(newestMs(copy), copy.claim?.atMs ?? 0)

/**
 * Returns the end of the oldest base backup of an incarnation (backup history) at the target; infinity if there is
 * none.
 */
export const beganMs = ({ bases }: StoredCopy): number =>
  bases[0]?.endedMs ?? Number.POSITIVE_INFINITY

/** Returns the incarnations (backup histories) that the backup `copy` continues, directly or indirectly, beginning with the most recent one. */
function ancestorsOf(copies: readonly StoredCopy[], copy: StoredCopy): StoredCopy[] {
  const ancestors: StoredCopy[] = []
  let found = originOf(copies, copy)
  while (found && found !== copy && !ancestors.includes(found)) {
    ancestors.push(found)
    found = originOf(copies, found)
  }
  return ancestors
}

function successorsOf(copies: readonly StoredCopy[], copy: StoredCopy): StoredCopy[] {
  const successors: StoredCopy[] = []
  let next: StoredCopy | undefined = copy
  while (next) {
    const current: StoredCopy = next
    const children = copies.filter(
      (other) =>
        other.claim?.origin?.folder === current.folder &&
        lastSignMs(other) > lastSignMs(current) &&
        !successors.includes(other),
    )
    next = newestOf(children, lastSignMs)
    if (next) successors.push(next)
  }
  return successors
}

const originOf = (copies: readonly StoredCopy[], copy: StoredCopy) =>
  copies.find(({ folder }) => folder === copy.claim?.origin?.folder)

const newestOf = (copies: readonly StoredCopy[], of: (copy: StoredCopy) => number) =>
  copies.toSorted((a, b) => of(b) - of(a))[0]
