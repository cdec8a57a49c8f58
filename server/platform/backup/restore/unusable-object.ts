import type { ObjectError } from '#server/platform/backup/objects/sealed-store.ts'
import { chooseIncarnation } from './lineage.ts'
import { certainMs, lastGoodBefore, wholeSecondWithin } from './last-good.ts'
import type { OpenedCopy } from './opened-copy.ts'
import { readIfUsable } from './read-manifest.ts'
import { RestoreError } from './restore-error.ts'

type Context = Pick<OpenedCopy, 'store' | 'copies' | 'copy' | 'base' | 'named' | 'timeZone'>
type Problem = Pick<ObjectError, 'object' | 'refusal'>

/**
 * Creates the error of a restore that needs an unusable object. The error contains the last moment that can be
 * restored from an older base backup.
 */
export async function unusableObject(context: Context, problem: Problem): Promise<RestoreError> {
  return describe(context, problem, await lastGoodBefore(context, problem.object), undefined)
}

/**
 * Creates the error of a restore that needs a missing write-ahead log segment. The error contains the period that
 * cannot be restored.
 */
export async function missingSegment(opened: OpenedCopy): Promise<RestoreError> {
  const problem = missingIn(opened)
  const lastMs = await lastGoodBefore(opened, problem.object)
  return describe(opened, problem, lastMs, await findLoss(opened))
}

/**
 * Returns the error of a recovery that ended at an unusable write-ahead log segment. Returns undefined if the
 * recovery has every change up to the requested moment. `lastCommitMs` is the time of the last recovered commit.
 */
export async function refuseHole(
  opened: OpenedCopy,
  unusable: { readonly segment: string; readonly error: ObjectError } | undefined,
  lastCommitMs: number | undefined,
): Promise<RestoreError | undefined> {
  const hole = unusable?.segment ?? opened.missing
  if (hole === undefined) return undefined
  const reachedMs = Math.max(await certainMs(opened, hole), lastCommitMs ?? 0)
  if (opened.atMs !== undefined && opened.atMs <= reachedMs) return undefined
  const lastMs = wholeSecondWithin(opened.manifest.endedMs, reachedMs)
  const loss = unusable ? undefined : await findLoss(opened)
  return describe(opened, unusable?.error ?? missingIn(opened), lastMs, loss)
}

const missingIn = ({ copy, missing = '' }: OpenedCopy): Problem => ({
  object: `${copy.folder}log/${missing}`,
  refusal: { reason: 'missing' },
})

function describe(
  { copies, copy, named, timeZone }: Context,
  { object, refusal }: Problem,
  lastGoodMs: number | undefined,
  lostMs: readonly [number, number] | undefined,
): RestoreError {
  const isChosen = chooseIncarnation(copies, lastGoodMs)?.folder === copy.folder
  return new RestoreError({
    reason: 'unusable object',
    object,
    problem: refusal.reason,
    lastGoodMs,
    incarnation: named || !isChosen ? copy.incarnation.id : undefined,
    timeZone,
    lostMs,
  })
}

/**
 * Returns the period that cannot be restored because of a gap in the write-ahead log; the next base backup records
 * the period.
 */
async function findLoss({
  store,
  copy,
  base,
  missing = '',
}: OpenedCopy): Promise<readonly [number, number] | undefined> {
  for (const later of copy.bases.filter(({ endedMs }) => endedMs > base.endedMs)) {
    const manifest = await readIfUsable(store, later.name)
    if (manifest && manifest.startSegment >= missing) return manifest.lostMs
  }
  return undefined
}
