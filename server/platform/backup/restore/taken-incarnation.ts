import type { StoredCopy } from './inventory.ts'
import { beganMs, lastSignMs } from './lineage.ts'
import { RestoreError } from './restore-error.ts'

/**
 * An incarnation (backup history) at the target, with the period from its first full backup to its newest data or claim
 * (the hourly record of the process that makes the backups).
 */
type LivedIncarnation = {
  readonly id: string
  readonly fromMs: number
  readonly untilMs: number
}

/** The incarnation (backup history) that a restore uses, and the other incarnations of the shop at the target. */
export type TakenIncarnation = LivedIncarnation & { readonly others: readonly LivedIncarnation[] }

/** Returns the incarnations (backup histories) with a complete base backup, or only the one that the owner named. */
export function allowedCopies(
  found: readonly StoredCopy[],
  id: string | undefined,
): readonly StoredCopy[] {
  const complete = found.filter(({ bases }) => bases.length > 0)
  if (complete.length === 0) throw new RestoreError({ reason: 'nothing there' })
  if (id === undefined) return complete
  const named = complete.filter(({ incarnation }) => incarnation.id === id)
  if (named.length > 0) return named
  const ids = complete.map(({ incarnation }) => incarnation.id)
  throw new RestoreError({ reason: 'no such incarnation', ids })
}

export function describeTaken(found: readonly StoredCopy[], taken: StoredCopy): TakenIncarnation {
  const describe = (copy: StoredCopy) => ({
    id: copy.incarnation.id,
    fromMs: beganMs(copy),
    untilMs: lastSignMs(copy),
  })
  const others = found.filter((copy) => copy !== taken && copy.bases.length > 0)
  return { ...describe(taken), others: others.map(describe) }
}
