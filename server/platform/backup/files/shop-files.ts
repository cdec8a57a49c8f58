import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { backupKeyFile } from '#server/platform/backup/objects/backup-key.ts'
import { skipProblemOf } from './skipped-file.ts'

/**
 * The paths that the backup omits: the database with its write-ahead log and lock file, earlier backups, temporary
 * files of a start or a restore, and the backup key.
 */
const ofThisMachine =
  /^(postgresql|backups\/|running\.json$|torque-and-timing\.json|\.restoring|\.space-test|lost\+found\/)/

const isKey = (path: string) => path.startsWith(`keys/${backupKeyFile}`)

/**
 * Whether the backup includes this file of the data directory. `path` is relative to the data directory and contains
 * slashes.
 */
export const isBackedUp = (path: string): boolean => !ofThisMachine.test(path) && !isKey(path)

export type ShopFile = { readonly path: string; readonly bytes: number; readonly changedMs: number }

export type ShopFiles = {
  readonly files: readonly ShopFile[]
  /** The paths of files and folders that the site cannot list. */
  readonly unreadable: readonly string[]
}

/**
 * Lists the files of the data directory that the backup includes. Throws when the data directory itself cannot be
 * listed.
 */
export async function listShopFiles(dataDirectory: string): Promise<ShopFiles> {
  const found = { files: [] as ShopFile[], unreadable: [] as string[] }
  await listBelow(dataDirectory, '', found)
  return {
    files: found.files.sort((a, b) => (a.path < b.path ? -1 : 1)),
    unreadable: found.unreadable.sort(),
  }
}

type Found = { readonly files: ShopFile[]; readonly unreadable: string[] }

async function listBelow(dataDirectory: string, prefix: string, found: Found): Promise<void> {
  for (const entry of await readdir(join(dataDirectory, prefix), { withFileTypes: true })) {
    const path = prefix + entry.name
    try {
      if (entry.isDirectory() && isBackedUp(`${path}/`))
        await listBelow(dataDirectory, `${path}/`, found)
      if (entry.isFile() && isBackedUp(path))
        found.files.push(await describe(join(dataDirectory, path), path))
    } catch (error) {
      if (skipProblemOf(error)) found.unreadable.push(path)
    }
  }
}

async function describe(file: string, path: string): Promise<ShopFile> {
  const { size, mtimeMs } = await lstat(file)
  return { path, bytes: size, changedMs: Math.trunc(mtimeMs) }
}
