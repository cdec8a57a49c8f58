import {
  type Incarnation,
  parseFileName,
  parseIncarnation,
  parseManifestName,
  parseSegmentName,
} from '#server/platform/backup/objects/object-names.ts'
import { type Claim, parseClaim } from '#server/platform/backup/origin.ts'
import type { Target } from '#server/platform/backup/target/target.ts'

export type StoredBase = { readonly name: string; readonly base: number; readonly endedMs: number }
export type StoredSegment = {
  readonly name: string
  readonly segment: string
  readonly archivedMs: number
  /** The size of the stored object, which is compressed and encrypted. */
  readonly bytes: number
}
type StoredFile = { readonly name: string; readonly number: number; readonly bytes: number }

/** The stored objects of one incarnation (backup history) at the target; each list is sorted. */
export type StoredCopy = {
  readonly incarnation: Incarnation
  /** The prefix of the names of all objects of this incarnation (backup history). */
  readonly folder: string
  readonly bases: readonly StoredBase[]
  readonly segments: readonly StoredSegment[]
  readonly files: readonly StoredFile[]
  /**
   * The newest claim (the hourly record of the process that makes the backups); undefined if there is none, or if an
   * earlier version of the site wrote the claim.
   */
  readonly claim: Claim | undefined
}

/** The PostgreSQL system identifiers of the shops that have a backup at the target. */
export async function listShops(target: Target): Promise<readonly string[]> {
  return (await target.folders('')).filter((name) => /^\d{1,20}$/.test(name)).sort()
}

/** Lists the incarnations (backup histories) of a shop, including those without a complete base backup. */
export async function listCopies(target: Target, shop: string): Promise<readonly StoredCopy[]> {
  const copies: StoredCopy[] = []
  for (const name of await target.folders(`${shop}/`)) {
    const folder = `${shop}/${name}/`
    const incarnation = parseIncarnation(folder)
    if (!incarnation) continue
    copies.push(await readCopy(target, incarnation, folder))
  }
  return copies
}

async function readCopy(
  target: Target,
  incarnation: Incarnation,
  folder: string,
): Promise<StoredCopy> {
  const objects = await target.list(folder)
  const names = objects.map(({ name }) => name)
  const claim = names.findLast((name) => name.startsWith(`${folder}claims/`))
  return {
    incarnation,
    folder,
    bases: names.flatMap((name) => {
      const parsed = parseManifestName(name)
      return parsed ? [{ name, ...parsed }] : []
    }),
    segments: objects.flatMap(({ name, bytes }) => {
      const parsed = parseSegmentName(name)
      return parsed ? [{ name, bytes, ...parsed }] : []
    }),
    files: objects.flatMap(({ name, bytes }) => {
      const number = parseFileName(name)
      return number === undefined ? [] : [{ name, number, bytes }]
    }),
    claim: claim === undefined ? undefined : await readClaim(target, claim),
  }
}

async function readClaim(target: Target, name: string): Promise<Claim | undefined> {
  const content = await target.get(name)
  return content && parseClaim(content.toString())
}

/**
 * The time of the newest data of an incarnation (backup history): the end of its newest base backup, or of its
 * newest segment.
 */
export function newestMs({ bases, segments }: StoredCopy): number {
  return [
    ...bases.map(({ endedMs }) => endedMs),
    ...segments.map(({ archivedMs }) => archivedMs),
  ].reduce((newest, ms) => Math.max(newest, ms), 0)
}

/** Returns the base backup from which a restore to `atMs` begins; without `atMs`, the newest one. */
export function chooseBase(
  { bases }: StoredCopy,
  atMs: number | undefined,
): StoredBase | undefined {
  return bases.findLast(({ endedMs }) => atMs === undefined || endedMs <= atMs)
}
