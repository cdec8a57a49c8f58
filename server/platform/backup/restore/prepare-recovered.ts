import { join } from 'node:path'
import { type LatestFacts, readLatestFacts } from '#server/platform/backup/latest-facts.ts'
import type { SkippedFile } from '#server/platform/backup/files/skipped-file.ts'
import type { SealedStore } from '#server/platform/backup/objects/sealed-store.ts'
import { readRemovals, type Removal } from '#server/platform/backup/removals.ts'
import { writeOrigin } from '#server/platform/backup/origin.ts'
import type { Lineage } from './lineage.ts'
import type { OpenCopyOptions } from './open-copy.ts'
import type { TakenIncarnation } from './taken-incarnation.ts'

export type RestoreOptions = OpenCopyOptions & {
  readonly dataDirectory: string
  /** Called at the start of each step of the restore, with a sentence that describes the step to the owner. */
  readonly onStep: (sentence: string) => void
  /**
   * Changes the recovered database before the shop starts with this database; for example, ends the sign-in sessions in
   * the database.
   */
  readonly prepare: (recovered: RecoveredDatabase) => Promise<void>
}

export type RecoveredDatabase = {
  readonly ownerUrl: string
  /** The folder that will become the data directory. */
  readonly dataDirectory: string
  /** The restored database contains every change up to this moment. */
  readonly recoveredMs: number
  /**
   * All customer erasures in the backup histories that belong to the restored shop, including erasures after
   * `recoveredMs`.
   */
  readonly removals: readonly Removal[]
  /** The newest staff accounts and document numbers at the target; undefined if the target has none. */
  readonly facts: LatestFacts | undefined
}

export type RestoredShop = {
  /** The moment whose data the logical backup contains; undefined when a write-ahead log was recovered. */
  readonly takenMs?: number
  readonly lastCommitMs: number | undefined
  /** The end time of the full backup from which the recovery of the write-ahead log began. */
  readonly copiedMs?: number
  readonly files: number
  /** The files whose newest version is missing in the backup. */
  readonly skipped: readonly SkippedFile[]
  readonly timeZone: string
  /** Whether the recovery reached the end of the write-ahead log at the target. */
  readonly isEndOfLog: boolean
  readonly lostMs: readonly [from: number, to: number] | undefined
  /** The incarnation (backup history) that was restored, and the other incarnations of the shop at the target. */
  readonly taken: TakenIncarnation
  /**
   * The number of customer erasures that cannot be repeated, because their objects are damaged or encrypted with
   * another key.
   */
  readonly unreadableRemovals: number
}

type Recovered = {
  readonly store: SealedStore
  /** The folder of the incarnation (backup history) at the target. */
  readonly folder: string
  readonly lineage: Lineage
  readonly ownerUrl: string
  /** The folder of the unfinished restore. */
  readonly aside: string
  readonly recoveredMs: number
}

/**
 * Prepares a recovered database with the staff accounts, document numbers and customer erasures that the target
 * received after the moment to which the database was recovered. Returns the number of erasures that cannot be read,
 * because they are damaged or encrypted with another key.
 */
export async function prepareRecovered(
  { target, prepare, now }: RestoreOptions,
  { store, folder, lineage, ownerUrl, aside, recoveredMs }: Recovered,
): Promise<number> {
  const { removals, unreadable } = await readRemovals(target, store, lineage)
  const facts = await readLatestFacts(store, lineage)
  const dataDirectory = join(aside, 'files')
  writeOrigin(dataDirectory, { folder, recoveredMs, separatedMs: now() })
  await prepare({ ownerUrl, dataDirectory, recoveredMs, removals, facts })
  return unreadable
}
