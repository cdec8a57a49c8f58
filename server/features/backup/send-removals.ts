import { type Query, queryOf, rowsAs } from '@local/postgres'
import { hasOwnMark } from '#server/platform/backup/claim-target.ts'
import { sendFacts } from '#server/platform/backup/latest-facts.ts'
import { type Removal, sendRemovals } from '#server/platform/backup/removals.ts'
import { withOwner } from '#server/platform/database/with-owner.ts'
import type { BackupService } from './open-backup.ts'
import { readFacts } from './read-facts.ts'

/**
 * Returns a function that uploads the ids of erased customers, the accounts and passwords of staff, the deactivated
 * employees, and the last used document numbers. After a restore to an earlier moment, the server applies these data
 * again.
 */
export function createRemovalSender(
  backup: BackupService,
  ownerUrl: string | undefined,
): () => Promise<void> {
  return async () => {
    const running = backup.current()
    if (!running || running.context.state.claimedMs === 0 || ownerUrl === undefined) return
    // While the disk of the backup target is not mounted, the target's path is an empty folder on another disk, to
    // which nothing may be uploaded.
    if (!(await hasOwnMark(running.context))) return
    const { erasures, facts } = await withOwner(ownerUrl, 'removals', async (client) => {
      const query = queryOf(client)
      // With `row_security = off`, PostgreSQL reports an error instead of silently omitting rows that a row-level
      // security policy hides from this database role.
      await client.query('set row_security = off')
      return {
        erasures: await readErasures(query),
        facts: await readFacts(query, running.context.backend),
      }
    })
    await sendRemovals(running.context, erasures)
    await sendFacts(running.context, facts)
  }
}

async function readErasures(query: Query): Promise<readonly Removal[]> {
  const rows = rowsAs<{ id: string; customerId: string; ms: string }>(
    await query(
      `select id, customer_id as "customerId", (extract(epoch from erased_at) * 1000)::bigint::text as ms
       from public.erasures order by erased_at`,
    ),
  )
  return rows.map(({ id, customerId, ms }) => ({ id, customerId, atMs: Number(ms) }))
}
