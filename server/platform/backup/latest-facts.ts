import { createHash } from 'node:crypto'
import { type BackupContext, changeState, nameIn } from './backup-context.ts'
import { ObjectError, type SealedStore } from './objects/sealed-store.ts'
import type { Lineage } from './restore/lineage.ts'

/** A user of the auth service who signs in as staff. */
type Account = {
  readonly userId: string
  /** The password hash; null for an account without a password, and for an account of a hosted Supabase project. */
  readonly passwordHash: string | null
}

/** The role of a staff account and whether it is active. */
export type StaffAccount = {
  readonly userId: string
  readonly role: string
  readonly isActive: boolean
}

/**
 * The current staff accounts, employees, passkeys and document numbers. A restore to an earlier moment applies this
 * data in addition, because the restored shop must refuse former passwords, removed users, removed passkeys and former
 * roles. The shop must also assign no task to an employee who left, and use no invoice or estimate number twice.
 */
export type Facts = {
  readonly accounts: readonly Account[]
  /**
   * All staff accounts, including those that are switched off; undefined in data that an earlier version of the site
   * stored.
   */
  readonly staff?: readonly StaffAccount[]
  /** The ids of the employees who are switched off; undefined in data that an earlier version of the site stored. */
  readonly inactiveEmployees?: readonly string[]
  /**
   * The ids of the passkeys that are valid for sign-in; undefined in data that an earlier version of the site
   * stored.
   */
  readonly passkeys?: readonly string[]
  /** The last values of the sequences for invoice and estimate numbers, by name. */
  readonly counts: Readonly<Record<string, number>>
}

/** The newest staff accounts and document numbers at the target, and the time at which the shop sent this data. */
export type LatestFacts = Facts & { readonly atMs: number }

const objectName = 'facts'

/**
 * Sends the staff accounts and document numbers to the target when this data differs from the data that was sent last.
 */
export async function sendFacts(context: BackupContext, facts: Facts): Promise<void> {
  const factsDigest = createHash('sha256').update(JSON.stringify(facts)).digest('hex')
  if (context.state.factsDigest === factsDigest) return
  const latest: LatestFacts = { ...facts, atMs: context.now() }
  await context.store.write(nameIn(context, objectName), Buffer.from(JSON.stringify(latest)))
  changeState(context, { factsDigest })
}

/**
 * Reads the newest staff accounts and document numbers from the backup histories in `lineage`, which belong to the
 * restored shop. Ignores objects that are missing, damaged or encrypted with another key.
 */
export async function readLatestFacts(
  store: SealedStore,
  lineage: Lineage,
): Promise<LatestFacts | undefined> {
  let newest: LatestFacts | undefined
  for (const { folder, untilMs = Number.POSITIVE_INFINITY } of lineage) {
    try {
      const content = await store.read(folder + objectName)
      const facts = JSON.parse(content.toString()) as LatestFacts
      if (facts.atMs > untilMs) continue
      if (newest === undefined || facts.atMs > newest.atMs) newest = facts
    } catch (error) {
      if (!(error instanceof ObjectError)) throw error
    }
  }
  return newest
}
