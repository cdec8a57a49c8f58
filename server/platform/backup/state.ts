import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SkipProblem } from './files/skipped-file.ts'
import type { Incarnation } from './objects/object-names.ts'
import type { Origin } from './origin.ts'

/**
 * A copy of a file of the data directory. Its content is in `parts` consecutive objects, of which the first has the
 * number `number`.
 */
export type KeptFile = {
  readonly number: number
  readonly parts: number
  readonly bytes: number
  readonly sha256: string
  /**
   * The total size in bytes of the objects in which the target stores the copy; undefined for a copy that was made by
   * an earlier version of the site.
   */
  readonly storedBytes?: number
  /** The time of the last change of the original file, in milliseconds since 1970. */
  readonly changedMs: number
}

/** The reasons why a new base backup is made immediately instead of at its daily time. */
export type BaseReason =
  | 'switched on'
  | 'another key'
  | 'another PostgreSQL'
  | 'broken chain'
  | 'another claim'
  | 'missing mark'
  | 'missing copy'

/**
 * The state of this process's backup at the target. The state is stored in a file, which only the running backup
 * changes.
 */
export type BackupState = {
  format: 1
  /**
   * `address` is the URL of the target, and `mark` is the id in the target's marker file; `mark` is undefined before
   * the first contact.
   */
  address: string
  mark: string | undefined
  /**
   * The time at which the process first noticed that the marker file that identifies the target is missing; undefined
   * while the target has the file.
   */
  missingSinceMs?: number | undefined
  /** The disk on which the marker file that identifies the target was last found (see `Target.disk`). */
  disk?: string
  incarnation: Incarnation
  /**
   * The earlier incarnation (backup history) that the incarnation of this process continues; undefined if there is
   * none.
   */
  origin?: Origin
  keyFingerprint: string
  /**
   * The number, content and time of this process's newest claim, the record with which a process reserves its folder
   * at the target.
   */
  claim: number
  claimToken: string
  claimedMs: number
  /**
   * The reason why a new base backup is needed. Undefined while the target has the complete newest base backup and
   * the write-ahead log after it.
   */
  baseReason: BaseReason | undefined
  /**
   * The first segment of the chain (the gapless sequence of write-ahead log segments); earlier segments are not
   * sent. Undefined while no segments are sent at all.
   */
  chainFrom: string | undefined
  /**
   * The last segment of a broken chain (gapless sequence of write-ahead log segments); later segments are not sent.
   * Undefined while the chain is not broken.
   */
  chainUntil: string | undefined
  /** The next write-ahead log segment to send. */
  nextSegment: string | undefined
  /**
   * The last moment that the broken chain of write-ahead log segments covers. Later moments before the next base backup
   * cannot be restored.
   */
  brokenMs: number | undefined
  /** The first segment that the broken chain of write-ahead log segments lacks. */
  brokenAt?: string | undefined
  /**
   * The backup has every change up to this moment; undefined before the position of the write-ahead log was first
   * read.
   */
  sentUntilMs?: number | undefined
  /** The time at which PostgreSQL finished the last sent segment. */
  lastSentMs: number | undefined
  /**
   * The completion time of the newest base backup that was made for a reason (`baseReason`) and not by schedule. Only a
   * restore drill (a test of the backup) that starts after this time proves that the backup can be restored. Undefined
   * before the first base backup.
   */
  unprovenSinceMs?: number
  /**
   * The periods in which the chain of write-ahead log segments was broken, oldest first. No moment in these periods
   * can be restored.
   */
  lostPeriods?: readonly (readonly [fromMs: number, toMs: number])[]
  /**
   * Whether the target refused to delete old objects. A retention rule of the target then decides how long objects
   * remain.
   */
  isDeletionRefused?: boolean
  nextBase: number
  /**
   * The newest base backup or logical backup. `number` is part of the names of the objects of a logical backup, and
   * undefined for a base backup.
   */
  base: { startedMs: number; endedMs: number; version?: number; number?: number } | undefined
  nextFile: number
  /**
   * The total size in bytes of all objects of this shop at the target, counted after the newest base backup was made.
   */
  targetBytes?: number
  /**
   * The end time of the oldest base backup of this incarnation (backup history) at the target, determined
   * together with `targetBytes`.
   */
  oldestMs?: number | undefined
  /** The ids of the customer erasures that were already sent to the target; undefined before the first one is sent. */
  removals?: readonly string[]
  /**
   * The digest of the staff accounts and document numbers that were last sent to the target; undefined before they are
   * first sent.
   */
  factsDigest?: string
  files: Record<string, KeptFile>
  /**
   * For each path, the reason why the newest version of a file or folder is missing in the backup; undefined in the
   * state of an earlier version of the site.
   */
  skippedFiles?: Record<string, SkipProblem>
}

/** The file that contains the state of the backup. Backups omit the folder of this file. */
const stateFile = (dataDirectory: string) => join(dataDirectory, 'backups', 'continuous.json')

/**
 * Reads the state of the backup. Returns undefined before the first start with a target, and when the file cannot be
 * read; the backup then begins a new incarnation (backup history).
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
