import type { Client } from 'pg'
import type { LatestFacts } from '#server/platform/backup/latest-facts.ts'
import { applyAccounts } from './apply-accounts.ts'

/**
 * The number of invoice and estimate numbers that a restore skips. The backup may lack the last two minutes before the
 * failure, in which the shop may have used up to this many numbers.
 */
const unknownNumbers = 20

/**
 * Applies the data in the backup that is newer than the moment to which the database was restored: the accounts and
 * passwords of staff, the employees who were switched off, the removed passkeys, and the last numbers of invoices and
 * estimates. Returns false when the accounts and passwords are left as recovered, because none of the current owners
 * exists in the recovered database.
 */
export async function applyLatestFacts(
  client: Client,
  facts: LatestFacts | undefined,
  recoveredMs: number,
): Promise<boolean> {
  if (!facts) return true
  for (const [sequence, count] of Object.entries(facts.counts)) {
    await client.query(
      `select setval($1::regclass, greatest($2, coalesce(pg_sequence_last_value($1::regclass), 0)) + ${unknownNumbers})`,
      [sequence, count],
    )
  }
  if (facts.atMs <= recoveredMs) return true
  await client.query(
    `update public.employees set is_active = false where is_active and id = any ($1::uuid[])`,
    [facts.inactiveEmployees ?? []],
  )
  // Nobody may sign in again with a passkey that was removed or switched off after the moment to which the database was
  // restored, such as the passkey of a lost device.
  await client.query(
    `delete from internal.passkeys where $1::uuid[] is not null and id <> all ($1::uuid[])`,
    [facts.passkeys ?? null],
  )
  return applyAccounts(client, facts)
}
