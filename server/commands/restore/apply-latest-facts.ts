import type { Client } from 'pg'
import type { Account, LatestFacts } from '#server/platform/backup/latest-facts.ts'

/**
 * The maximum number of invoices and estimates in the last two minutes, of which the target may not know. New numbers
 * skip this many.
 */
const unknownNumbers = 20

/**
 * Applies the facts at the target that are later than the recovered moment: changed passwords, removed admins, and the
 * last numbers of invoices and estimates.
 */
export async function applyLatestFacts(
  client: Client,
  facts: LatestFacts | undefined,
  recoveredMs: number,
): Promise<void> {
  if (!facts) return
  if (facts.atMs > recoveredMs) await applyAccounts(client, facts.accounts)
  for (const [sequence, count] of Object.entries(facts.counts)) {
    await client.query(
      `select setval($1::regclass, greatest($2, coalesce(pg_sequence_last_value($1::regclass), 0)) + ${unknownNumbers})`,
      [sequence, count],
    )
  }
}

/**
 * When the recovered database contains none of the later admins, no admin is removed and no password changes, because
 * otherwise nobody could sign in.
 */
async function applyAccounts(client: Client, accounts: readonly Account[]): Promise<void> {
  const userIds = accounts.map(({ userId }) => userId)
  const hashes = accounts.map(({ passwordHash }) => passwordHash)
  const { rowCount } = await client.query(
    `update auth.users set encrypted_password = later.hash, updated_at = now()
     from unnest($1::uuid[], $2::text[]) later (id, hash) where users.id = later.id`,
    [userIds, hashes],
  )
  if (rowCount === 0) return
  await client.query(
    `delete from auth.users where raw_app_meta_data ->> 'role' = 'admin' and id <> all ($1::uuid[])`,
    [userIds],
  )
}
