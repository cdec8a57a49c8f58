import { type MomentRefusal, parseShopMoment } from '#domain/backup/shop-moment.ts'
import type { BaseManifest } from '#server/platform/backup/base/manifest.ts'
import type { BackupKey } from '#server/platform/backup/objects/backup-key.ts'
import { ObjectError, openSealedStore } from '#server/platform/backup/objects/sealed-store.ts'
import type { Target } from '#server/platform/backup/target/target.ts'
import { chooseSegments } from './choose-segments.ts'
import { beganMs, chooseIncarnation, lineageOf } from './lineage.ts'
import { allowedCopies, describeTaken } from './taken-incarnation.ts'
import { chooseBase, listCopies, listShops } from './inventory.ts'
import type { OpenedCopy } from './opened-copy.ts'
import { readTimeZone } from './read-manifest.ts'
import { RestoreError, type RestoreRefusal } from './restore-error.ts'
import { missingSegment, unusableObject } from './unusable-object.ts'

export type OpenCopyOptions = {
  readonly target: Target
  readonly key: BackupKey
  /** The moment to restore, as the owner typed it; undefined to restore the newest state. */
  readonly at?: string | undefined
  /** The PostgreSQL system identifier of the shop to restore; required when the target has several shops. */
  readonly shop?: string | undefined
  /** The id of the incarnation (backup history) to restore; when undefined, the restore chooses one. */
  readonly incarnation?: string | undefined
  readonly now: () => number
}

/**
 * Chooses the base backup and the write-ahead log segments for a restore. Throws `RestoreError` when the requested
 * moment cannot be restored.
 */
export async function openCopy(options: OpenCopyOptions): Promise<OpenedCopy> {
  const { target, key } = options
  const store = openSealedStore(target, key)
  const found = await listCopies(target, await chooseShop(options))
  const copies = allowedCopies(found, options.incarnation)
  const timeZone = await readTimeZone(store, copies)
  const atMs = readMoment(options, timeZone)
  const copy = chooseIncarnation(copies, atMs)
  const base = copy && chooseBase(copy, atMs)
  if (!base) {
    throw new RestoreError({
      reason: 'before the first copy',
      firstMs: Math.min(...copies.map(beganMs)),
      timeZone,
    })
  }
  const named = options.incarnation !== undefined
  const context = { store, copies, copy, base, named, timeZone }
  const manifest = await readManifest(options, context)
  const { startSegment, stopSegment } = manifest
  const log = chooseSegments(copy, { startSegment, stopSegment, atMs })
  const lineage = lineageOf(found, copy, named)
  const taken = describeTaken(found, copy)
  const opened = { ...context, ...log, lineage, taken, manifest, atMs }
  const { missing } = log
  if (missing !== undefined && missing <= stopSegment) throw await missingSegment(opened)
  return opened
}

/**
 * Returns the system identifier of the shop to restore. Throws `RestoreError` when the target has no shop, or
 * several shops.
 */
export async function chooseShop({
  target,
  shop,
}: Pick<OpenCopyOptions, 'target' | 'shop'>): Promise<string> {
  const shops = await listShops(target)
  const chosen = shop ?? (shops.length === 1 ? shops[0] : undefined)
  if (chosen !== undefined && shops.includes(chosen)) return chosen
  if (shops.length === 0) throw new RestoreError({ reason: 'nothing there' })
  throw new RestoreError({ reason: shop === undefined ? 'several shops' : 'no such shop', shops })
}

/**
 * Converts the moment that the owner typed to milliseconds since 1970. Throws `RestoreError` when the text is not a
 * valid shop time or the moment is in the future.
 */
export function readMoment(
  { at, now }: Pick<OpenCopyOptions, 'at' | 'now'>,
  timeZone: string,
): number | undefined {
  if (at === undefined) return undefined
  const moment = parseShopMoment(at, timeZone)
  if (!moment.ok) throw new RestoreError(momentRefusal(moment.refusal, timeZone))
  const nowMs = now()
  if (moment.value > nowMs) throw new RestoreError({ reason: 'future', nowMs, timeZone })
  return moment.value
}

function momentRefusal(refusal: MomentRefusal, timeZone: string): RestoreRefusal {
  if (refusal.code === 'AMBIGUOUS')
    return { reason: 'ambiguous time', momentsMs: refusal.moments, timeZone }
  return { reason: refusal.code === 'SKIPPED' ? 'skipped time' : 'invalid time' }
}

async function readManifest(
  { key }: OpenCopyOptions,
  context: Parameters<typeof unusableObject>[0],
): Promise<BaseManifest> {
  try {
    return JSON.parse((await context.store.read(context.base.name)).toString()) as BaseManifest
  } catch (error) {
    if (!(error instanceof ObjectError)) throw error
    const { refusal } = error
    if (refusal.reason !== 'wrong-key') throw await unusableObject(context, error)
    throw new RestoreError({
      reason: 'wrong key',
      own: key.fingerprint,
      made: refusal.fingerprint,
    })
  }
}
