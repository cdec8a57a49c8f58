import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** Why a new base backup is needed before the backup protects the shop again. */
export type BaseReason =
  | 'switched on'
  | 'another key'
  | 'another PostgreSQL'
  | 'broken chain'
  | 'another claim'
  | 'missing mark'

/** The state of this process's backup at the target. It is stored in a file, which only the running backup changes. */
export type BackupState = {
  format: 1
  /** The address of the target, and the id in its mark; undefined before the first contact. */
  address: string
  mark: string | undefined
  /** The time since which the target lacks its mark; undefined while it has it. */
  missingSinceMs?: number | undefined
  /** The disk on which the mark was found last (`Target.disk`). */
  disk?: string
  incarnation: Incarnation
  /** The incarnation that this one continues; undefined for the first one. */
  origin?: Origin
  keyFingerprint: string
  /** The number, content and time of this process's newest claim. */
  claim: number
  claimToken: string
  claimedMs: number
  /** Undefined while the newest base backup and the log after it are complete at the target. */
  baseReason: BaseReason | undefined
  /** The first segment of the chain, before which no segment is sent; undefined while no segment is sent at all. */
  chainFrom: string | undefined
  /** The last segment of the chain, once the chain is broken: later segments are not sent. */
  chainUntil: string | undefined
  /** The segment that has to be sent next. */
  nextSegment: string | undefined
  /** The end of what the broken chain has: later changes cannot be recovered before the next base backup. */
  brokenMs: number | undefined
  /** The first segment that the broken chain lacks. */
  brokenAt?: string | undefined
  /** The target has every change up to this moment; undefined before the first reading of the log. */
  sentUntilMs?: number | undefined
  /** The time at which the server finished the last sent segment. */
  lastSentMs: number | undefined
  /**
   * The time at which the last base backup that had a reason was complete. Only a drill that starts after it proves the
   * backup. Undefined before the first one.
   */
  unprovenSinceMs?: number
  /** The periods in which the chain was broken: no moment within them can be restored. The oldest first. */
  lostPeriods?: readonly (readonly [fromMs: number, toMs: number])[]
  /** Whether the target refused to delete old objects, so that a rule of its own decides how long it keeps them. */
  isDeletionRefused?: boolean
  nextBase: number
  /** The newest base backup. */
  base: { startedMs: number; endedMs: number; version?: number } | undefined
  nextFile: number
  /** The size of all objects of this shop at the target, counted after the newest base backup. */
  targetBytes?: number
  /** The end of this incarnation's oldest base backup at the target, read at the same time. */
  oldestMs?: number | undefined
  /** The ids of the removals that the target has; undefined before the first. */
  removals?: readonly string[]
  /** The digest of the latest facts that the target has; undefined before the first. */
  factsDigest?: string
  files: Record<string, KeptFile>
}

/** The file that contains the state. Backups omit its folder. */
const stateFile = (dataDirectory: string) => join(dataDirectory, 'backups', 'continuous.json')

/**
 * Returns undefined before the first start with a target and when the file cannot be read. The backup then begins a new
 * incarnation.
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
