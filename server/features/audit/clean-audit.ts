import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * Cuts the network addresses of old lines of the audit to their network, and removes lines after three years
 * (docs/product.md 6.12). Returns the number of removed lines.
 */
export async function cleanAudit(database: Database): Promise<number> {
  return database.transaction(asServer, async (query) => {
    const [row] = rowsAs<{ removed: number }>(
      await query('select internal.clean_audit() as removed'),
    )
    return row?.removed ?? 0
  })
}
