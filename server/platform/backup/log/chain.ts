import type { BackupState } from '#server/platform/backup/state.ts'
import { type BackupContext, changeState } from '#server/platform/backup/backup-context.ts'
import { segmentAfter } from './segments.ts'

/**
 * The chain is the gapless sequence of write-ahead log (WAL) segments since the newest base backup. A broken chain
 * gets no further segments; the next base backup begins a new chain.
 */

/** Whether the backup needs this segment of the write-ahead log. */
export function isWanted({ chainFrom, chainUntil }: BackupState, segment: string): boolean {
  if (chainFrom === undefined || segment < chainFrom) return false
  return chainUntil === undefined || segment <= chainUntil
}

/** Whether the chain of write-ahead log segments includes every segment from `segment` on, without a gap. */
export function isWholeFrom({ chainFrom, chainUntil }: BackupState, segment: string): boolean {
  return chainFrom !== undefined && chainFrom <= segment && chainUntil === undefined
}

/**
 * Ends the chain (the gapless sequence of write-ahead log segments) after the segment `last`, or discards the whole
 * chain if `last` is undefined. Also requests a new base backup. `keptMs` is a moment before which the chain has
 * every change.
 */
export function breakChain(
  context: BackupContext,
  last: string | undefined,
  keptMs: number | undefined,
): void {
  const { state } = context
  if (state.chainUntil !== undefined) return
  const lastSentMs = state.sentUntilMs ?? state.base?.endedMs
  changeState(context, {
    ...(last === undefined ? { chainFrom: undefined } : { chainUntil: last }),
    baseReason: 'broken chain',
    brokenMs: state.brokenMs ?? keptMs ?? lastSentMs ?? context.now(),
    brokenAt: state.brokenAt ?? (last === undefined ? state.nextSegment : segmentAfter(last)),
  })
}

/** Begins a new chain (a gapless sequence of write-ahead log segments) with the first segment of a base backup. */
export function beginChain(context: BackupContext, segment: string): void {
  changeState(context, { chainFrom: segment, chainUntil: undefined, nextSegment: segment })
}
