import { createHash } from 'node:crypto'
import { objectNames } from '#server/platform/backup/objects/object-names.ts'
import type { SkippedFile } from '#server/platform/backup/files/skipped-file.ts'
import { findFiles, readParts } from '#server/platform/backup/restore/restore-files.ts'
import type { OpenedCopy } from '#server/platform/backup/restore/opened-copy.ts'
import type { KeptFile } from '#server/platform/backup/state.ts'
import { ObjectError } from '#server/platform/backup/objects/sealed-store.ts'

export type CheckedFiles = {
  /** The number of files in the newest backup. */
  readonly files: number
  readonly checkedFiles: number
  readonly differingFiles: number
  /** The files whose newest version is missing in the backup. */
  readonly skipped: readonly SkippedFile[]
  /** The name of the first stored object that is missing or damaged; undefined if there is none. */
  readonly object?: string
}

/** The fields of an opened backup that are needed to read its files. */
type CopyOfFiles = Pick<OpenedCopy, 'store' | 'copy'> & {
  readonly manifest: Pick<OpenedCopy['manifest'], 'files' | 'nextFile' | 'skippedFiles'>
}

/**
 * The number of older files that each nightly restore drill (a test of the backup) checks in addition to the new files.
 */
const sampleSize = 200

/**
 * Reads files from the backup and compares their content with the recorded checksums: all files if `isComplete` is
 * true, otherwise the new files (number `sinceNumber` or higher) and a random sample of the older ones. Also checks
 * that the stored objects of every file exist and have the recorded size.
 */
export async function checkFiles(
  opened: CopyOfFiles,
  { sinceNumber, isComplete }: { sinceNumber: number; isComplete: boolean },
): Promise<CheckedFiles> {
  const { store, copy, manifest } = opened
  const found = await findFiles(store, copy, manifest, undefined)
  const files = [...found.files.values()]
  const sizes = new Map(copy.files.map(({ number, bytes }) => [number, bytes]))
  const whole = new Set(files.filter((file) => hasSize(file, sizes)))
  const [added, older] = [
    files.filter(({ number }) => number >= sinceNumber),
    files.filter(({ number }) => number < sinceNumber),
  ]
  const sample = isComplete ? files : [...added, ...shuffle(older).slice(0, sampleSize)]
  const damaged = files.filter((file) => !whole.has(file))
  for (const file of sample) {
    const { number, parts, sha256 } = file
    if (whole.has(file) && !(await isIntact(opened, number, parts, sha256))) damaged.push(file)
  }
  const [first] = damaged
  return {
    files: files.length,
    checkedFiles: sample.length,
    differingFiles: damaged.length,
    skipped: found.skipped,
    ...(first && { object: copy.folder + objectNames.file(first.number) }),
  }
}

type StoredSize = Pick<KeptFile, 'number' | 'parts' | 'storedBytes'>

/**
 * Whether the target has every stored object of a file, with the recorded size. Earlier versions of the site did not
 * record the size, so only the existence is checked then.
 */
function hasSize(
  { number, parts, storedBytes }: StoredSize,
  sizes: ReadonlyMap<number, number>,
): boolean {
  let bytes = 0
  for (let part = 0; part < parts; part += 1) {
    const size = sizes.get(number + part)
    if (size === undefined) return false
    bytes += size
  }
  return storedBytes === undefined || bytes === storedBytes
}

async function isIntact(
  { store, copy }: CopyOfFiles,
  number: number,
  parts: number,
  sha256: string,
): Promise<boolean> {
  try {
    const content = await readParts(store, copy, number, parts)
    return createHash('sha256').update(content).digest('hex') === sha256
  } catch (error) {
    if (error instanceof ObjectError) return false
    throw error
  }
}

function shuffle<Item>(items: readonly Item[]): Item[] {
  const keyed = items.map((item) => ({ item, key: Math.random() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
}
