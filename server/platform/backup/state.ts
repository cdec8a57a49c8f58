import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SkipProblem } from './files/skipped-file.ts'
import type { Incarnation } from './objects/object-names.ts'
import type { Origin } from './origin.ts'

/** The copy of a file of the data directory: its content is in `parts` objects, from `number` on. */
export type KeptFile = {
  readonly number: number
  readonly parts: number
  readonly bytes: number
  readonly sha256: string
  /** The size of the copy's objects at the target; undefined for a copy that an earlier version of the site made. */
  readonly storedBytes?: number
  /** The time of the last change of the file on this machine, in milliseconds since 1970. */
  readonly changedMs: number
}

/** The reasons why a new base backup is needed before the backup protects the shop again. */
export type BaseReason =
  | 'switched on'
  | 'another key'
  | 'another PostgreSQL'
  | 'broken chain'
  | 'another claim'
  | 'missing mark'
  | 'missing copy'

/** The state of this process's backup at the target. It is stored in a file, which only the running backup changes. */
export type BackupState = {
  format: 1
  /** The address of the target, and the id in its marker file; undefined before the first contact. */
  address: string
  mark: string | undefined
  /** The time since which the marker file is missing at the target; undefined while the target has it. */
  missingSinceMs?: number | undefined
  /** The disk on which the marker file was last found (`Target.disk`). */
  disk?: string
  incarnation: Incarnation
  /** The earlier incarnation that this incarnation continues; undefined if there is none. */
  origin?: Origin
  keyFingerprint: string
  /** The number, content and time of this process's newest claim. */
  claim: number
  claimToken: string
  claimedMs: number
  /**
   * The reason why a new base backup is needed; undefined while the newest base backup and the log after it are
   * complete at the target.
   */
  baseReason: BaseReason | undefined
  /** The first segment of the chain; earlier segments are not sent. Undefined while no segment is sent at all. */
  chainFrom: string | undefined
  /** The last segment of the chain, once the chain is broken: later segments are not sent. */
  chainUntil: string | undefined
  /** The next WAL segment to send. */
  nextSegment: string | undefined
  /** The last moment that the broken chain covers: later changes cannot be recovered before the next base backup. */
  brokenMs: number | undefined
  /** The first segment after the last one of the broken chain. */
  brokenAt?: string | undefined
  /** The target has every change up to this moment; undefined before the first reading of the log. */
  sentUntilMs?: number | undefined
  /** The time at which the server finished the last sent segment. */
  lastSentMs: number | undefined
  /**
   * The time at which the last base backup that had a reason was complete. Only a drill that starts after it proves the
   * backup. Undefined before the first base backup.
   */
  unprovenSinceMs?: number
  /** The periods in which the chain was broken: no moment within them can be restored. The oldest first. */
  lostPeriods?: readonly (readonly [fromMs: number, toMs: number])[]
  /**
   * Whether the target refused to delete old objects; then a retention rule of the target decides how long objects are
   * kept.
   */
  isDeletionRefused?: boolean
  nextBase: number
  /**
   * The newest base backup. `number` is the number in the names of its objects; only a logical backup records this
   * number.
   */
  base: { startedMs: number; endedMs: number; version?: number; number?: number } | undefined
  nextFile: number
  /** The size of all objects of this shop at the target, counted after the newest base backup. */
  targetBytes?: number
  /** The end time of this incarnation's oldest base backup at the target, read together with the size above. */
  oldestMs?: number | undefined
  /** The ids of the customer erasures that were sent to the target; undefined before the first one is sent. */
  removals?: readonly string[]
  /**
   * The digest of the latest facts (staff accounts and document numbers) at the target; undefined before they are first
   * sent.
   */
  factsDigest?: string
  files: Record<string, KeptFile>
  /**
   * The reason why the target lacks the newest version of a file or folder, by path; undefined in the state of an
   * earlier version of the site.
   */
  skippedFiles?: Record<string, SkipProblem>
}

/** The file that contains the state. Backups omit the folder of this file. */
const stateFile = (dataDirectory: string) => join(dataDirectory, 'backups', 'continuous.json')

/**
 * Reads the state of the backup. Returns undefined before the first start with a target and when the file cannot be
 * read; the backup then begins a new incarnation.
 */
export function loadState(dataDirectory: string): BackupState | undefined {
  try {
    const state = JSON.parse(readFileSync(stateFile(dataDirectory), 'utf8')) as BackupState
    return state.format === 1 ? state : undefined
  } catch {
    return undefined
  }
}

export function saveState(dataDirectory: string, state: BackupState): void {
  const path = stateFile(dataDirectory)
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600, flush: true })
  renameSync(`${path}.new`, path)
}
