import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '@local/postgres'

const marker = 'torque-and-timing.json'
const layout = 1

/**
 * Matches the files and folders that a new data directory may already contain. The last alternative of the pattern
 * matches a temporary marker file that another process is still writing.
 */
const harmless = /^(lost\+found|outbox|keys|\.gitkeep|\.DS_Store|torque-and-timing\.json\.\d+)$/

/**
 * Creates and marks the shop's data directory, or checks the marker file of an existing one. Throws `StartupError`
 * for a folder with other files, so that a mistyped `DATA_DIR` never mixes the shop's data with other files.
 */
export function claimDataDirectory(directory: string): void {
  // The files are listed before the marker file is read. Another process that starts at the same time writes the marker
  // file before its other files, so these files are never listed without a marker file.
  const entries = list(directory)
  if (existsSync(join(directory, marker))) return checkMarker(directory)
  const unexpected = entries.filter((entry) => !harmless.test(entry))
  if (unexpected.length > 0) {
    const sample = unexpected.slice(0, 3).join(', ')
    throw new StartupError(
      `DATA_DIR ${directory} is not a data directory of this site: it contains other files (${sample}). Nothing was changed. Choose an empty or a new folder.`,
    )
  }
  markDataDirectory(directory)
}

/**
 * Writes the marker file that identifies a folder as a data directory. Writes a temporary file and renames it, so
 * that no process reads an incomplete marker file, even after a power failure.
 */
export function markDataDirectory(directory: string): void {
  const aside = join(directory, `${marker}.${process.pid}`)
  writeFileSync(aside, `${JSON.stringify({ layout })}\n`, { mode: 0o600, flush: true })
  renameSync(aside, join(directory, marker))
}

function list(directory: string): string[] {
  try {
    // The folder contains emails, backups and the database's password, so only the user that owns the folder may open
    // it.
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    return readdirSync(directory)
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new StartupError(
      `DATA_DIR ${directory} cannot be used (${reason}). It must be a folder that this user may write to.`,
    )
  }
}

function checkMarker(directory: string): void {
  const found = readLayout(join(directory, marker))
  if (found === layout) return
  throw new StartupError(
    typeof found === 'number' && found > layout
      ? `DATA_DIR ${directory} was written by a newer version of the site. Start that version, or choose another folder.`
      : `DATA_DIR ${directory} is damaged: its file ${marker} cannot be read. Nothing was changed. Restore a backup into a new folder, or repair the file: {"layout":${layout}}.`,
  )
}

function readLayout(file: string): unknown {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof content === 'object' && content !== null && 'layout' in content
      ? content.layout
      : undefined
  } catch {
    return undefined
  }
}
