import type { BackupKey } from './objects/backup-key.ts'
import { incarnationFolder } from './objects/object-names.ts'
import type { SealedStore } from './objects/sealed-store.ts'
import { type BackupState, saveState } from './state.ts'
import type { Backend } from '#server/platform/storage/shop-tables.ts'
import type { Target } from './target/target.ts'

/** The objects and settings that all modules of a running backup share. */
export type BackupContext = {
  readonly target: Target
  readonly store: SealedStore
  readonly key: BackupKey
  readonly dataDirectory: string
  /** The connection URL of the role that owns the database. */
  readonly ownerUrl: string
  readonly backend: Backend
  /** The folder into which PostgreSQL copies its write-ahead log. */
  readonly spool: string
  readonly state: BackupState
  readonly now: () => number
}

/**
 * Returns the full name of an object at the backup target: the folder of this process's incarnation (the backup history
 * of one copy of the shop), followed by `name`.
 */
export const nameIn = ({ state }: BackupContext, name: string): string =>
  incarnationFolder(state.incarnation) + name

/** Changes the state of the backup in memory and writes the changed state to the disk. */
export function changeState(context: BackupContext, change: Partial<BackupState>): void {
  Object.assign(context.state, change)
  saveState(context.dataDirectory, context.state)
}
