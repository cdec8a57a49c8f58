import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '@local/postgres'

/**
 * The keys of one shop. Each key is in a file that only the operating-system user of the site can read (mode 600). No
 * backup contains the folder of these files.
 */
export type KeyFiles = {
  read(name: string): string | undefined
  /** Replaces the file atomically. The key is stored on the disk when this function returns. */
  write(name: string, key: string): void
  remove(name: string): void
}

/** Creates a key of 256 random bits as base64url text. */
export function makeKey(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * Opens the key files in `dataDirectory`. Throws `StartupError` with the path of a file that cannot be read or
 * written.
 */
export function openKeyFiles(dataDirectory: string): KeyFiles {
  const folder = join(dataDirectory, 'keys')
  return {
    read: (name) => refuseFailure(join(folder, name), readKey),
    write: (name, key) =>
      refuseFailure(join(folder, name), (path) => {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        const unfinished = `${path}.${process.pid}`
        writeFileSync(unfinished, `${key}\n`, { mode: 0o600, flush: true })
        renameSync(unfinished, path)
        syncFolder(folder)
      }),
    remove: (name) => rmSync(join(folder, name), { force: true }),
  }
}

function readKey(path: string): string | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  if (/^[\w-]{32,500}$/.test(text)) return text
  throw new StartupError(
    `The key file ${path} is damaged. Nothing was changed. Restore a copy of it, or remove it: the site then creates a new key.`,
  )
}

function refuseFailure<Result>(path: string, work: (path: string) => Result): Result {
  try {
    return work(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new StartupError(
      `The key file ${path} cannot be used (${code}). The user that runs the site must be able to read and write the folder 'keys' in DATA_DIR.`,
    )
  }
}

function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}
