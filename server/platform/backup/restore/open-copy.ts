import { parseShopMoment } from '#domain/backup/shop-moment.ts'
import type { BaseManifest } from '#server/platform/backup/base/manifest.ts'
import type { BackupKey } from '#server/platform/backup/objects/backup-key.ts'
import {
  ObjectError,
  openSealedStore,
  type SealedStore,
} from '#server/platform/backup/objects/sealed-store.ts'
import type { Target } from '#server/platform/backup/target/target.ts'
import { chooseSegments } from './choose-segments.ts'
import { beganMs, chooseIncarnation, type Lineage, lineageOf } from './lineage.ts'
import { allowedCopies, describeTaken, type TakenIncarnation } from './taken-incarnation.ts'
import {
  chooseBase,
  listCopies,
  listShops,
  type StoredBase,
  type StoredCopy,
  type StoredSegment,
} from './inventory.ts'
import { RestoreError } from './restore-error.ts'

export type OpenCopyOptions = {
  readonly target: Target
  readonly key: BackupKey
  /** The moment to restore, as the owner typed it; undefined for the newest state. */
  readonly at?: string | undefined
  /** The system identifier of the shop, when the target has several. */
  readonly shop?: string | undefined
  /** The id of the incarnation to use; undefined chooses one. */
  readonly incarnation?: string | undefined
  readonly now: () => number
}

/** The objects with which a restore begins. */
export type OpenedCopy = {
  readonly store: SealedStore
  readonly copy: StoredCopy
  readonly base: StoredBase
  readonly lineage: Lineage
  readonly taken: TakenIncarnation
  readonly manifest: BaseManifest
  readonly segments: readonly StoredSegment[]
  readonly atMs: number | undefined
  /** The name of the segment after `segments`, when it is missing and later ones exist. */
  readonly missing: string | undefined
}

/** Chooses base backup and log. Throws `RestoreError` when the target cannot restore the moment. */
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
  const chosen = { copy, base }
  const manifest = await readManifest(store, chosen, key, timeZone)
  const { startSegment, stopSegment } = manifest
  const { segments, missing } = chooseSegments(chosen.copy, { startSegment, stopSegment, atMs })
  const lineage = lineageOf(found, copy, options.incarnation !== undefined)
  const taken = describeTaken(found, copy)
  const opened = { store, ...chosen, lineage, taken, manifest, segments, atMs, missing }
  if (missing !== undefined && missing <= stopSegment) throw await missingSegment(opened, undefined)
  return opened
}

/** Finds the first missing segment, and the period that a broken chain lost. */
export async function missingSegment(
  opened: OpenedCopy,
  lastGoodMs: number | undefined,
): Promise<RestoreError> {
  const { copy, manifest, missing = '' } = opened
  return new RestoreError({
    reason: 'unusable object',
    object: `${copy.folder}log/${missing}`,
    problem: 'missing',
    lastGoodMs: lastGoodMs ?? olderThan(opened),
    timeZone: manifest.timeZone,
    lostMs: await findLoss(opened.store, opened, missing),
  })
}

/** Returns the number of the shop to restore. Throws `RestoreError` when the target has none, or several. */
export async function chooseShop({
  target,
  shop,
}: Pick<OpenCopyOptions, 'target' | 'shop'>): Promise<string> {
  const shops = await listShops(target)
  const chosen = shop ?? (shops.length === 1 ? shops[0] : undefined)
  if (chosen !== undefined && shops.includes(chosen)) return chosen
  throw new RestoreError(
    shops.length === 0 ? { reason: 'nothing there' } : { reason: 'several shops', shops },
  )
}

function readMoment({ at, now }: OpenCopyOptions, timeZone: string): number | undefined {
  if (at === undefined) return undefined
  const moment = parseShopMoment(at, timeZone)
  if (!moment.ok) {
    const reasons = {
      INVALID: 'invalid time',
      SKIPPED: 'skipped time',
      AMBIGUOUS: 'ambiguous time',
    } as const
    throw new RestoreError({ reason: reasons[moment.refusal] })
  }
  if (moment.value > now()) throw new RestoreError({ reason: 'future' })
  return moment.value
}

type Chosen = { readonly copy: StoredCopy; readonly base: StoredBase }

/**
 * Returns a moment just before a base backup, which an earlier base backup can restore; undefined when none is earlier.
 */
export function olderThan({ copy, base }: Chosen): number | undefined {
  return copy.bases.some(({ endedMs }) => endedMs < base.endedMs) ? base.endedMs - 1000 : undefined
}

/**
 * The time zone of the shop, from the newest manifest that can be read: another one may be damaged, or encrypted with
 * another key. UTC without any.
 */
async function readTimeZone(store: SealedStore, copies: readonly StoredCopy[]): Promise<string> {
  const bases = copies.flatMap((copy) => copy.bases).toSorted((a, b) => b.endedMs - a.endedMs)
  for (const { name } of bases) {
    const manifest = await readIfUsable(store, name)
    if (manifest) return manifest.timeZone
  }
  return 'UTC'
}

/** Undefined for a manifest that is missing, damaged or encrypted with another key. */
async function readIfUsable(store: SealedStore, name: string): Promise<BaseManifest | undefined> {
  try {
    return JSON.parse((await store.read(name)).toString()) as BaseManifest
  } catch (error) {
    if (error instanceof ObjectError) return undefined
    throw error
  }
}

async function readManifest(
  store: SealedStore,
  chosen: Chosen,
  key: BackupKey,
  timeZone: string,
): Promise<BaseManifest> {
  try {
    return JSON.parse((await store.read(chosen.base.name)).toString()) as BaseManifest
  } catch (error) {
    if (!(error instanceof ObjectError)) throw error
    const { refusal, object } = error
    if (refusal.reason === 'wrong-key') {
      throw new RestoreError({
        reason: 'wrong key',
        own: key.fingerprint,
        made: refusal.fingerprint,
      })
    }
    const detail = { object, problem: refusal.reason, lastGoodMs: olderThan(chosen) }
    throw new RestoreError({
      reason: 'unusable object',
      ...detail,
      timeZone,
      lostMs: undefined,
    })
  }
}

/** Returns the period that the next base backup reports as lost after a broken chain. */
async function findLoss(
  store: SealedStore,
  { copy, base }: Chosen,
  missing: string,
): Promise<readonly [number, number] | undefined> {
  for (const later of copy.bases.filter(({ endedMs }) => endedMs > base.endedMs)) {
    const manifest = await readIfUsable(store, later.name)
    if (manifest && manifest.startSegment >= missing) return manifest.lostMs
  }
  return undefined
}
