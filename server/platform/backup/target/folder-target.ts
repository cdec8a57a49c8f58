import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type StoredObject, type Target, TargetError, type TargetProblem } from './target.ts'

/** The prefix of the names of unfinished files, which do not count as objects. */
const unfinished = '.unfinished-'

/**
 * Opens a folder, for example of a mounted disk. The folder itself must exist and is never created, because a missing
 * folder means that the disk is not mounted.
 */
export function openFolderTarget(folder: string, address: string): Target {
  const run = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      throw toTargetError(error)
    }
  }
  return {
    address,
    disk: () => run(async () => String((await stat(folder)).dev)),
    put: (name, content) => run(() => replaceFile(folder, name, content)),
    create: (name, content) => run(() => createFile(folder, name, content)),
    get: (name) => run(() => readObject(folder, name)),
    list: (prefix) => run(() => listFiles(folder, prefix)),
    folders: (prefix) => run(() => listFolders(join(folder, prefix), folder)),
    remove: (name) => run(() => rm(join(folder, name), { force: true })),
  }
}

async function readObject(folder: string, name: string): Promise<Buffer | undefined> {
  // Throws an error if the folder of the target itself is missing; only a missing file counts as a missing object.
  await stat(folder)
  return missingAsUndefined(readFile(join(folder, name)))
}

async function replaceFile(folder: string, name: string, content: Buffer): Promise<void> {
  const parent = await createParent(folder, name)
  const aside = join(parent, `${unfinished}${randomBytes(6).toString('hex')}`)
  try {
    await writeDurably(aside, 'wx', content)
    await rename(aside, join(folder, name))
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
  await syncFolder(parent)
}

async function createFile(folder: string, name: string, content: Buffer): Promise<boolean> {
  const parent = await createParent(folder, name)
  try {
    await writeDurably(join(folder, name), 'wx', content)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  await syncFolder(parent)
  return true
}

async function createParent(folder: string, name: string): Promise<string> {
  // `stat` fails if the target's folder is missing. Without this check, `mkdir` with `recursive` would create the
  // folder on the disk that contains the mount point.
  await stat(folder)
  const parent = dirname(join(folder, name))
  await mkdir(parent, { recursive: true, mode: 0o700 })
  return parent
}

async function writeDurably(path: string, flags: string, content: Buffer): Promise<void> {
  const file = await open(path, flags, 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  // Some network file systems refuse to flush a folder to the disk. The refusal is ignored, because the file itself
  // is already on the disk.
  await folder.sync().catch(() => undefined)
  await folder.close()
}

async function listFiles(folder: string, prefix: string): Promise<readonly StoredObject[]> {
  await stat(folder)
  const entries = await missingAsUndefined(
    readdir(join(folder, prefix), { recursive: true, withFileTypes: true }),
  )
  const files = (entries ?? []).filter(
    (entry) => entry.isFile() && !entry.name.startsWith(unfinished),
  )
  const objects = await Promise.all(
    files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      const status = await missingAsUndefined(stat(path))
      return status && { name: path.slice(join(folder, '/').length), bytes: status.size }
    }),
  )
  return objects.filter((object) => object !== undefined).sort(byName)
}

async function listFolders(parent: string, folder: string): Promise<readonly string[]> {
  await stat(folder)
  const entries = await missingAsUndefined(readdir(parent, { withFileTypes: true }))
  return (entries ?? []).filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

const byName = (a: StoredObject, b: StoredObject) => (a.name < b.name ? -1 : 1)

async function missingAsUndefined<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'unknown'

const problems: Readonly<Record<string, TargetProblem>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EACCES: 'refused',
  EPERM: 'refused',
  EROFS: 'refused',
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: ': it does not exist, or its disk is not mounted',
  ENOSPC: ': its disk is full',
  EDQUOT: ': its quota is used up',
  EACCES: ': the user of the site may not use it',
  EPERM: ': the user of the site may not use it',
  EROFS: ': its disk is read-only',
}

function toTargetError(error: unknown): TargetError {
  const code = codeOf(error)
  const problem = problems[code] ?? 'unreachable'
  return new TargetError(
    problem,
    `The backup folder cannot be used${reasons[code] ?? ''} (${code}).`,
  )
}
