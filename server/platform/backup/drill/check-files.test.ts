import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { encodeFileObject } from '#server/platform/backup/files/file-object.ts'
import { objectNames } from '#server/platform/backup/objects/object-names.ts'
import type { OpenedCopy } from '#server/platform/backup/restore/opened-copy.ts'
import { checkFiles } from './check-files.ts'

const fileCount = 300

/**
 * Returns a backup with so many files that a restore drill (a test of the backup) reads the content of only some of
 * them. `storedBytes` is the size of file 7 at the backup target.
 */
function copyOf(storedBytes: number): OpenedCopy {
  const numbers = Array.from({ length: fileCount }, (_, number) => number + 1)
  const objectOf = (number: number) => {
    const content = Buffer.from(`file ${number}`)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const header = { path: `outbox/${number}.eml`, atMs: 0, sha256, part: 0, parts: 1 }
    return { sha256, object: encodeFileObject(header, content) }
  }
  const files = Object.fromEntries(
    numbers.map((number) => [
      `outbox/${number}.eml`,
      {
        number,
        parts: 1,
        bytes: 8,
        changedMs: 0,
        storedBytes: 100,
        sha256: objectOf(number).sha256,
      },
    ]),
  )
  const stored = numbers.map((number) => ({
    number,
    name: objectNames.file(number),
    bytes: number === 7 ? storedBytes : 100,
  }))
  return {
    store: {
      read: async (name: string) =>
        objectOf(stored.find((each) => name.endsWith(each.name))?.number ?? 0).object,
    },
    copy: { folder: '', files: stored },
    manifest: { files, nextFile: fileCount + 1 },
  } as unknown as OpenedCopy
}

it('a restore drill compares the sizes of all files, including files whose content it does not check', async () => {
  const tonight = { sinceNumber: fileCount + 1, isComplete: false }
  expect(await checkFiles(copyOf(100), tonight)).toEqual({
    files: fileCount,
    skipped: [],
    checkedFiles: 200,
    differingFiles: 0,
  })
  expect(await checkFiles(copyOf(99), tonight)).toMatchObject({
    differingFiles: 1,
    object: objectNames.file(7),
  })
  expect(await checkFiles(copyOf(100), { ...tonight, isComplete: true })).toMatchObject({
    checkedFiles: fileCount,
  })
})
