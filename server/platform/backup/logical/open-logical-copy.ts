import { objectNames } from '#server/platform/backup/objects/object-names.ts'
import { ObjectError, type SealedStore } from '#server/platform/backup/objects/sealed-store.ts'
import {
  listCopies,
  type StoredBase,
  type StoredCopy,
} from '#server/platform/backup/restore/inventory.ts'
import type { Target } from '#server/platform/backup/target/target.ts'
import { type Entry, readEntries } from '#server/platform/storage/backup-file.ts'
import type { LogicalManifest } from './logical-manifest.ts'
import { noTimeline } from './start-logical-backup.ts'

export type StoredLogical = {
  readonly copy: StoredCopy
  readonly base: StoredBase
  /** All incarnations (backup histories) of the shop at the target. */
  readonly copies: readonly StoredCopy[]
}

/** A logical backup that was opened for reading, with its description. */
export type OpenedLogical = StoredLogical & {
  readonly store: SealedStore
  readonly manifest: LogicalManifest
}

/** Lists the complete logical backups of a shop, or of one of its incarnations (backup histories), newest first. */
export async function listLogical(
  target: Target,
  shop: string,
  id?: string,
): Promise<readonly StoredLogical[]> {
  const copies = await listCopies(target, shop)
  return copies
    .filter(({ incarnation }) => incarnation.timeline === noTimeline)
    .filter(({ incarnation }) => id === undefined || incarnation.id === id)
    .flatMap((copy) => copy.bases.map((base) => ({ copy, base, copies })))
    .toSorted((a, b) => b.base.endedMs - a.base.endedMs)
}

/** Reads the manifest. Throws `ObjectError` when the manifest is missing or damaged. */
export async function openLogical(
  store: SealedStore,
  stored: StoredLogical,
): Promise<OpenedLogical> {
  const content = await store.read(stored.base.name)
  return { ...stored, store, manifest: JSON.parse(content.toString()) as LogicalManifest }
}

/** Yields the rows and sequences of a logical backup. Throws `ObjectError` for a stored part that cannot be used. */
export async function* readLogicalEntries(opened: OpenedLogical): AsyncGenerator<Entry> {
  const damaged = () => new ObjectError(opened.base.name, { reason: 'damaged' })
  yield* readEntries(splitLines(readParts(opened)), damaged)
}

async function* readParts({ store, copy, base, manifest }: OpenedLogical): AsyncGenerator<Buffer> {
  for (let part = 1; part <= manifest.parts; part += 1) {
    yield await store.read(copy.folder + objectNames.basePart(base.base, part))
  }
}

const lineEnd = 0x0a

/** Splits a text that ends with a line break into lines. */
async function* splitLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer[] = []
  for await (const piece of pieces) {
    let start = 0
    for (let end = piece.indexOf(lineEnd); end >= 0; end = piece.indexOf(lineEnd, start)) {
      yield Buffer.concat([...begun, piece.subarray(start, end)]).toString()
      begun = []
      start = end + 1
    }
    begun.push(piece.subarray(start))
  }
}
