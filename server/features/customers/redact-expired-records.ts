import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { deleteEmailFiles } from './delete-email-files.ts'

/**
 * Takes the name out of what the law kept of erased people once its time has passed, and forgets letters that were
 * written to them since (docs/product.md 16.9). Returns how many invoices lost the name.
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
