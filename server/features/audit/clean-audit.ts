import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * Truncates the IP addresses in old audit entries to their network prefix, and deletes entries after three years
 * (docs/product.md 6.12). Returns the number of deleted entries.
 */
export async function cleanAudit(database: Database): Promise<number> {
  return database.transaction(asServer, async (query) => {
    const [row] = rowsAs<{ removed: number }>(
      await query('select internal.clean_audit() as removed'),
    )
    return row?.removed ?? 0
  })
}
