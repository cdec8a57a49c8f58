import { Client } from 'pg'
import { queryOf, rowsAs } from '@local/postgres'
import { type Removal, sendRemovals } from '#server/platform/backup/removals.ts'
import type { BackupService } from './open-backup.ts'

/** Returns a function that sends the ids of erased customers to the target, so that a restore repeats their erasure. */
export function createErasureSender(
  backup: BackupService,
  ownerUrl: string | undefined,
): () => Promise<void> {
  return async () => {
    const running = backup.current()
    if (!running || running.context.state.claimedMs === 0 || ownerUrl === undefined) return
    await sendRemovals(running.context, await readErasures(ownerUrl))
  }
}

async function readErasures(ownerUrl: string): Promise<readonly Removal[]> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'erasures' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const query = queryOf(client)
    const rows = rowsAs<{ id: string; customerId: string; ms: string }>(
      await query(
        `select id, customer_id as "customerId", (extract(epoch from erased_at) * 1000)::bigint::text as ms
         from public.erasures order by erased_at`,
      ),
    )
    return rows.map(({ id, customerId, ms }) => ({ id, customerId, atMs: Number(ms) }))
  } finally {
    await client.end()
  }
}
