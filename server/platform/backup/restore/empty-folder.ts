import { access, constants, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { markDataDirectory } from '#server/platform/database/data-directory.ts'
import { RestoreError } from './restore-error.ts'

const harmless = /^(lost\+found|\.gitkeep|\.DS_Store|\.restoring)$/

/**
 * Creates the folder if it does not exist. Throws `RestoreError` when the folder contains anything other than the key
 * of the backup.
 */
export async function refuseUsedFolder(dataDirectory: string): Promise<void> {
  const entries = await createOrList(dataDirectory)
  const keys = entries.includes('keys') ? await readdir(join(dataDirectory, 'keys')) : []
  const others = [
    ...entries.filter((entry) => entry !== 'keys' && !harmless.test(entry)),
    ...keys.filter((key) => key !== 'backup.key').map((key) => `keys/${key}`),
  ]
  if (others.length > 0)
    throw new RestoreError({ reason: 'folder in use', folder: dataDirectory, entries: others })
}

async function createOrList(folder: string): Promise<readonly string[]> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
    return await readdir(folder)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new RestoreError({ reason: 'unusable folder', folder, code })
  }
}

/**
 * Moves a complete restore into the data directory. Moves the database cluster after the other files, and writes the
 * marker file of the data directory last.
 */
export async function moveIntoPlace(aside: string, dataDirectory: string): Promise<void> {
  const files = join(aside, 'files')
  for (const entry of await readdir(files)) {
    if (entry === 'keys') await moveKeys(join(files, 'keys'), join(dataDirectory, 'keys'))
    else await rename(join(files, entry), join(dataDirectory, entry))
  }
  await rename(join(aside, 'postgresql'), join(dataDirectory, 'postgresql'))
  await rm(aside, { recursive: true, force: true })
  markDataDirectory(dataDirectory)
}

/** Moves the key files. The folder `to` may already contain the key of the backup. */
async function moveKeys(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const key of await readdir(from)) await rename(join(from, key), join(to, key))
}
