import { lstat, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { backupKeyFile } from '#server/platform/backup/objects/backup-key.ts'

/**
 * The backup omits the database with its log and its lock, earlier backups, temporary files of a start or a restore,
 * and its own key.
 */
const ofThisMachine =
  /^(postgresql|backups\/|running\.json$|torque-and-timing\.json|\.restoring|\.space-test|lost\+found\/)/

const isKey = (path: string) => path.startsWith(`keys/${backupKeyFile}`)

/** Whether the backup contains the file of the data directory. `path` is relative and has slashes. */
export const isBackedUp = (path: string): boolean => !ofThisMachine.test(path) && !isKey(path)

export type ShopFile = { readonly path: string; readonly bytes: number; readonly changedMs: number }

/** Lists the files of the data directory that the backup contains. */
export async function listShopFiles(dataDirectory: string): Promise<readonly ShopFile[]> {
  const entries = await readdir(dataDirectory, { withFileTypes: true })
  const files: ShopFile[] = []
  for (const entry of entries) {
    if (!isBackedUp(entry.isDirectory() ? `${entry.name}/` : entry.name)) continue
    const below = entry.isDirectory()
      ? await readdir(join(dataDirectory, entry.name), { recursive: true, withFileTypes: true })
      : [entry]
    for (const found of below) {
      const file = join(found.parentPath, found.name)
      const path = relative(dataDirectory, file).split(sep).join('/')
      if (found.isFile() && isBackedUp(path)) files.push(...(await describe(file, path)))
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Returns an empty list when the file was deleted after it was listed. */
async function describe(file: string, path: string): Promise<ShopFile[]> {
  const status = await lstat(file).catch(() => undefined)
  return status ? [{ path, bytes: status.size, changedMs: Math.trunc(status.mtimeMs) }] : []
}
