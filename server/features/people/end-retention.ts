import { rowsAs } from '#server/platform/database/columns.ts'
import { asServer, type Database } from '#server/platform/database/database.ts'

/**
 * Takes the name out of what the law kept of erased people once its time has passed (docs/product.md 16.9). Returns
 * how many invoices lost it.
 */
export async function endRetention(database: Database): Promise<number> {
  const [row] = await database.transaction(asServer, async (query) =>
    rowsAs<{ ended: number }>(await query('select internal.end_retention() as ended')),
  )
  return row?.ended ?? 0
}
