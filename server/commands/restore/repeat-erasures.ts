import type { Client } from 'pg'
import { queryOf, rowsAs } from '@local/postgres'
import { deleteEmailFiles } from '#server/features/customers/delete-email-files.ts'
import type { Removal } from '#server/platform/backup/removals.ts'

/** The actor name that is recorded for a repeated customer erasure. */
const byName = 'restore'

/**
 * Repeats the customer erasures that the recovered database does not contain, and deletes the email files of those
 * customers. Returns the number of customers that the database refused to erase, for example because of an upcoming
 * appointment.
 */
export async function repeatErasures(
  client: Client,
  removals: readonly Removal[],
  outboxFolder: string,
): Promise<number> {
  let refused = 0
  for (const { id, customerId } of removals) {
    const query = queryOf(client)
    const [customer] = rowsAs<{ version: number }>(
      await query(
        `select version from public.customers
         where id = $1 and erased_at is null and not exists (select from public.erasures where erasures.id = $2)`,
        [customerId, id],
      ),
    )
    if (!customer) continue
    await client.query('begin')
    try {
      await client.query('select internal.erase_customer($1, $2, $3)', [
        customerId,
        customer.version,
        byName,
      ])
      await deleteEmailFiles(query, outboxFolder)
      await client.query('commit')
    } catch {
      await client.query('rollback')
      refused += 1
    }
  }
  return refused
}
