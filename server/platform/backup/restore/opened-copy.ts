import type { BaseManifest } from '#server/platform/backup/base/manifest.ts'
import type { SealedStore } from '#server/platform/backup/objects/sealed-store.ts'
import type { ChosenSegments } from './choose-segments.ts'
import type { StoredBase, StoredCopy } from './inventory.ts'
import type { Lineage } from './lineage.ts'
import type { TakenIncarnation } from './taken-incarnation.ts'

/** The base backup and the write-ahead log segments that a restore or a restore drill will read. */
export type OpenedCopy = {
  readonly store: SealedStore
  /**
   * All incarnations (backup histories) of the shop at the target, from which the restore chose `copy`. `named` is true
   * if the owner named the incarnation to restore.
   */
  readonly copies: readonly StoredCopy[]
  readonly named: boolean
  readonly copy: StoredCopy
  readonly base: StoredBase
  readonly lineage: Lineage
  readonly taken: TakenIncarnation
  readonly manifest: BaseManifest
  readonly timeZone: string
  readonly atMs: number | undefined
} & ChosenSegments
