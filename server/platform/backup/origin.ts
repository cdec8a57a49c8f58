import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Refers to the earlier incarnation (backup history) that a later one continues, for example after a restore. */
export type Origin = {
  /** The folder of the earlier incarnation (backup history) at the target. */
  readonly folder: string
  /** The later incarnation (backup history) contains the changes of the earlier one up to this moment. */
  readonly recoveredMs: number
  /**
   * The time at which the later incarnation (backup history) separated from the earlier one. The later one does not
   * contain changes that the earlier one received after this time.
   */
  readonly separatedMs: number
}

/**
 * Returns the path of the file that names the backup history from which the shop was restored. A restore writes the
 * file, and the first backup of the restored shop reads the file.
 */
const originFile = (dataDirectory: string) => join(dataDirectory, 'backups', 'restored-from.json')

export function writeOrigin(dataDirectory: string, origin: Origin): void {
  const path = originFile(dataDirectory)
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(path, JSON.stringify(origin), { mode: 0o600, flush: true })
}

/** Returns the backup history from which this shop was restored; undefined if it was not restored from a target. */
export function readOrigin(dataDirectory: string): Origin | undefined {
  try {
    return JSON.parse(readFileSync(originFile(dataDirectory), 'utf8')) as Origin
  } catch {
    return undefined
  }
}

/**
 * The content of a claim, the record with which a process reserves its folder at the target. A claim is not
 * encrypted, so that a restore can also list the backups that were made with another key. A claim contains only ids
 * and times.
 */
export type Claim = {
  /** A random text that only the process that wrote the claim knows. */
  readonly token: string
  readonly atMs: number
  readonly origin?: Origin | undefined
}

/**
 * Parses the content of a claim, the record with which a process reserves its folder at the target. Returns
 * undefined for other content, and for a claim of an earlier version of the site.
 */
export function parseClaim(content: string): Claim | undefined {
  try {
    const claim = JSON.parse(content) as Partial<Claim> | null
    return typeof claim?.atMs === 'number' ? (claim as Claim) : undefined
  } catch {
    return undefined
  }
}
