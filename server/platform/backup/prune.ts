import { type BackupContext, changeState } from './backup-context.ts'
import type { BaseManifest } from './base/manifest.ts'
import {
  incarnationFolder,
  parseClaimName,
  parseFileName,
  parseIncarnation,
  parseManifestName,
  parseSegmentName,
} from './objects/object-names.ts'
import type { BackupState } from './state.ts'
import { parseClaim } from './origin.ts'
import { type StoredObject, type Target, TargetError } from './target/target.ts'

const hourMs = 3_600_000
const hoursOfDay = 24
const dayMs = hoursOfDay * hourMs

/**
 * Removes the objects of this process's incarnation (backup history) that are not needed to restore any moment of the
 * last `keepDays` days. Removes other incarnations of this shop as a whole, unless they were in use during these days.
 * Never removes objects of other shops.
 */
export async function pruneTarget(context: BackupContext, keepDays: number): Promise<void> {
  const cutoffMs = context.now() - keepDays * dayMs
  const { target, state } = context
  const own = incarnationFolder(state.incarnation)
  await removeAll(context, await findOutdated(context, own, cutoffMs))
  await removeAll(context, await findOldClaims(context, own, keepDays))
  for (const folder of await target.folders(`${state.incarnation.systemId}/`)) {
    const other = `${state.incarnation.systemId}/${folder}/`
    if (other === own || !parseIncarnation(other)) continue
    const objects = await target.list(other)
    if ((await lastSignMs(target, objects)) < cutoffMs) await removeAll(context, objects)
  }
}

/**
 * Removes old objects from the target and measures the size of the remaining objects. The owner of a bucket may forbid
 * deletions, so that a thief cannot delete the backup. Such a refusal is reported and stored in the state; any other
 * failure is only reported.
 */
export async function pruneAndMeasure(
  context: BackupContext,
  keepDays: number,
  report: (error: unknown, what: string) => void,
): Promise<void> {
  const refusal = await attemptPrune(context, keepDays, report)
  changeState(context, { ...refusal, ...(await measureTarget(context)) })
}

/**
 * Removes old objects from the target. `isDeletionRefused` in the result tells whether the target refuses deletions;
 * the field is absent when the attempt failed for another reason.
 */
async function attemptPrune(
  context: BackupContext,
  keepDays: number,
  report: (error: unknown, what: string) => void,
): Promise<Pick<BackupState, 'isDeletionRefused'>> {
  try {
    await pruneTarget(context, keepDays)
    return { isDeletionRefused: false }
  } catch (error) {
    report(error, 'old objects of the backup could not be deleted')
    return error instanceof DeletionRefusedError ? { isDeletionRefused: true } : {}
  }
}

/** Thrown when the target refuses to delete an object, although it permits listing and reading objects. */
class DeletionRefusedError extends Error {
  override readonly name = 'DeletionRefusedError'
}

/**
 * Returns a function that removes old objects after an error of the kind `full`, at most once an hour. Old objects
 * are otherwise removed after a base backup, which a full target cannot store.
 */
export function createRoomMaker(
  context: BackupContext,
  keepDays: number,
  report: (error: unknown, what: string) => void,
): (cause: unknown) => Promise<void> {
  let lastMs = Number.NEGATIVE_INFINITY
  return async (cause) => {
    if (!(cause instanceof TargetError) || cause.problem !== 'full') return
    if (context.now() - lastMs < hourMs) return
    lastMs = context.now()
    try {
      await pruneAndMeasure(context, keepDays, report)
    } catch (error) {
      report(error, 'old objects of a full target could not be listed')
    }
  }
}

/**
 * Returns the last moment at which an incarnation (backup history) was certainly in use: the newest time in the names
 * of its base backups and write-ahead log segments, or in its newest claim (the hourly record of the process that makes
 * the backups). An incarnation without any of these times is not removed.
 */
async function lastSignMs(target: Target, objects: readonly StoredObject[]): Promise<number> {
  const names = objects.map(({ name }) => name)
  const times = names.flatMap(
    (name) => parseSegmentName(name)?.archivedMs ?? parseManifestName(name)?.endedMs ?? [],
  )
  const claim = names.findLast((name) => name.includes('/claims/'))
  const content = claim === undefined ? undefined : await target.get(claim)
  const claimedMs = content ? parseClaim(content.toString())?.atMs : undefined
  const signs = claimedMs === undefined ? times : [...times, claimedMs]
  return signs.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...signs)
}

/**
 * Finds the claims (hourly records of the process that makes the backups) that are older than `keepDays` days. A
 * process writes at most one claim an hour, so the number of newer claims gives the minimum age of a claim. The newest
 * claims are never removed. If the claim of another copy of this shop was removed, that copy begins a new incarnation
 * (backup history).
 */
async function findOldClaims(
  { target, state }: BackupContext,
  own: string,
  keepDays: number,
): Promise<readonly StoredObject[]> {
  const claims = await target.list(`${own}claims/`)
  const firstKept = state.claim - keepDays * hoursOfDay
  return claims.filter(({ name }) => (parseClaimName(name) ?? firstKept) < firstKept)
}

async function findOutdated(
  context: BackupContext,
  own: string,
  cutoffMs: number,
): Promise<readonly StoredObject[]> {
  const objects = await context.target.list(own)
  const bases = objects.flatMap((object) => {
    const parsed = parseManifestName(object.name)
    return parsed ? [{ ...parsed, name: object.name }] : []
  })
  // The cutoff is the oldest time that must remain restorable. A restore to that time needs the newest base backup
  // before it.
  const oldest = bases.findLast(({ endedMs }) => endedMs <= cutoffMs) ?? bases[0]
  if (!oldest) return []
  const kept = bases.filter(({ base }) => base >= oldest.base)
  const manifests = await Promise.all(
    kept.map(
      async ({ name }) => JSON.parse((await context.store.read(name)).toString()) as BaseManifest,
    ),
  )
  const [first] = manifests
  if (!first) return []
  const usedFiles = new Set(
    manifests.flatMap(({ files }) => Object.values(files).flatMap(numbersOf)),
  )
  return objects.filter(({ name }) => {
    const segment = parseSegmentName(name)?.segment
    if (segment !== undefined) return segment < first.startSegment
    const file = parseFileName(name)
    if (file !== undefined) return file < first.nextFile && !usedFiles.has(file)
    const base = /\/base\/(\d{8})\//.exec(name)?.[1]
    return base !== undefined && Number(base) < oldest.base
  })
}

/**
 * Adds up the sizes of all objects of this shop at the target, and finds the oldest base backup of this incarnation
 * (backup history).
 */
async function measureTarget({
  target,
  state,
}: BackupContext): Promise<Pick<BackupState, 'targetBytes' | 'oldestMs'>> {
  const objects = await target.list(`${state.incarnation.systemId}/`)
  const own = incarnationFolder(state.incarnation)
  const oldest = objects.find(({ name }) => name.startsWith(own) && parseManifestName(name))
  return {
    targetBytes: objects.reduce((sum, { bytes }) => sum + bytes, 0),
    oldestMs: oldest && parseManifestName(oldest.name)?.endedMs,
  }
}

const numbersOf = ({ number, parts }: { number: number; parts: number }) =>
  Array.from({ length: parts }, (_, part) => number + part)

async function removeAll(
  { target }: BackupContext,
  objects: readonly StoredObject[],
): Promise<void> {
  for (const { name } of objects) await target.remove(name).catch(throwRefusal)
}

function throwRefusal(cause: unknown): never {
  const isRefusal = cause instanceof TargetError && cause.problem === 'refused'
  throw isRefusal ? new DeletionRefusedError(cause.message, { cause }) : cause
}
