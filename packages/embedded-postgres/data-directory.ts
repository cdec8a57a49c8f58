import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '#packages/postgres/startup-error.ts'

const marker = 'torque-and-timing.json'
const layout = 1

/** What may lie in a folder without making it somebody else's; the last is a marker being written. */
const harmless = /^(lost\+found|outbox|keys|\.gitkeep|\.DS_Store|torque-and-timing\.json\.\d+)$/

/**
 * Makes `directory` the shop's data directory, or recognises that it already is. A folder that holds
 * anything else is refused, so that a mistyped `DATA_DIR` never mixes the shop's data with other files.
 */
export function claimDataDirectory(directory: string): void {
  // The list comes first: another start writes the marker before anything else of the site's.
  const entries = list(directory)
  if (existsSync(join(directory, marker))) return checkMarker(directory)
  const unexpected = entries.filter((entry) => !harmless.test(entry))
  if (unexpected.length > 0) {
    const sample = unexpected.slice(0, 3).join(', ')
    throw new StartupError(
      `DATA_DIR ${directory} is not a data directory of this site: it holds other files (${sample}). Nothing was changed. Choose an empty or a new folder.`,
    )
  }
  writeMarker(directory)
}

/** Written aside and renamed: neither a start at the same moment nor one after a power cut reads half of it. */
function writeMarker(directory: string): void {
  const aside = join(directory, `${marker}.${process.pid}`)
  writeFileSync(aside, `${JSON.stringify({ layout })}\n`, { mode: 0o600, flush: true })
  renameSync(aside, join(directory, marker))
}

function list(directory: string): string[] {
  try {
    // Mail, backups and the database's password live here: nobody else's business.
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
