import { createHash } from 'node:crypto'
import { type BackupContext, changeState, nameIn } from './backup-context.ts'
import { ObjectError, type SealedStore } from './objects/sealed-store.ts'
import type { Target } from './target/target.ts'

/** The sign-in of an admin. */
export type Account = { readonly userId: string; readonly passwordHash: string }

/**
 * What a restore to an earlier moment must know of the time after it: a password that was changed since and an admin who
 * was removed since must not open the restored shop, and no number of an invoice or estimate is given twice.
 */
export type Facts = {
  readonly accounts: readonly Account[]
  /** The last values of the sequences, by name. */
  readonly counts: Readonly<Record<string, number>>
}

/** The facts of a moment, the newest that the target knows. */
export type LatestFacts = Facts & { readonly atMs: number }

const objectName = 'facts'

/** Sends the facts when they differ from those at the target. */
export async function sendFacts(context: BackupContext, facts: Facts): Promise<void> {
  const factsDigest = createHash('sha256').update(JSON.stringify(facts)).digest('hex')
  if (context.state.factsDigest === factsDigest) return
  const latest: LatestFacts = { ...facts, atMs: context.now() }
  await context.store.write(nameIn(context, objectName), Buffer.from(JSON.stringify(latest)))
  changeState(context, { factsDigest })
}

/** Reads the newest facts of all incarnations of a shop; those that another key encrypts are left out. */
export async function readLatestFacts(
  target: Target,
  store: SealedStore,
  shop: string,
): Promise<LatestFacts | undefined> {
  let newest: LatestFacts | undefined
  for (const folder of await target.folders(`${shop}/`)) {
    try {
      const content = await store.read(`${shop}/${folder}/${objectName}`)
      const facts = JSON.parse(content.toString()) as LatestFacts
      if (newest === undefined || facts.atMs > newest.atMs) newest = facts
    } catch (error) {
      const reason = error instanceof ObjectError ? error.refusal.reason : undefined
      if (reason !== 'missing' && reason !== 'wrong-key') throw error
    }
  }
  return newest
}
