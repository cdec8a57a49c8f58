import type { BackupContext } from './backup-context.ts'
import { changeState, nameIn } from './backup-context.ts'
import type { SealedStore } from './objects/sealed-store.ts'
import { ObjectError } from './objects/sealed-store.ts'
import type { Lineage } from './restore/lineage.ts'
import type { Target } from './target/target.ts'

/** The erasure of the customer `customerId` at `atMs`. A restore to an earlier moment repeats the erasure. */
export type Removal = { readonly id: string; readonly customerId: string; readonly atMs: number }

/**
 * Sends the customer erasures that are missing at the target. A restore reads all erasures, including those after the
 * moment to which the shop is restored.
 */
export async function sendRemovals(
  context: BackupContext,
  removals: readonly Removal[],
): Promise<void> {
  for (const removal of removals) {
    const sent = context.state.removals ?? []
    if (sent.includes(removal.id)) continue
    const name = nameIn(context, `removals/${removal.id}`)
    await context.store.write(name, Buffer.from(JSON.stringify(removal)))
    changeState(context, { removals: [...sent, removal.id] })
  }
}

/**
 * Reads the customer erasures from the backup histories that belong to the restored shop (`lineage`). `unreadable`
 * counts the erasures that are damaged or encrypted with another key.
 */
export async function readRemovals(
  target: Target,
  store: SealedStore,
  lineage: Lineage,
): Promise<{ removals: readonly Removal[]; unreadable: number }> {
  const removals = new Map<string, Removal>()
  let unreadable = 0
  for (const { folder, untilMs = Number.POSITIVE_INFINITY } of lineage) {
    for (const { name } of await target.list(`${folder}removals/`)) {
      try {
        const removal = JSON.parse((await store.read(name)).toString()) as Removal
        if (removal.atMs <= untilMs) removals.set(removal.id, removal)
      } catch (error) {
        if (!(error instanceof ObjectError)) throw error
        unreadable += 1
      }
    }
  }
  return { removals: [...removals.values()].sort((a, b) => a.atMs - b.atMs), unreadable }
}
