import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { deleteEmailFiles } from './delete-email-files.ts'

/**
 * Removes the names of erased customers from records that the shop had to retain, once their retention period has
 * ended. Deletes sent emails that were queued after the erasure (docs/product.md 16.9). Returns the number of
 * invoices from which a name was removed.
 */
export async function redactExpiredRecords(
  database: Database,
  outboxFolder: string,
): Promise<number> {
  return database.transaction(asServer, async (query) => {
    const [row] = rowsAs<{ ended: number; hasErased: boolean }>(
      await query(
        'select internal.redact_expired_records() as ended, internal.has_erasures() as "hasErased"',
      ),
    )
    if (row?.hasErased) await deleteEmailFiles(query, outboxFolder)
    return row?.ended ?? 0
  })
}
