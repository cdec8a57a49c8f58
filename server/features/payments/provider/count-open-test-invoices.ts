import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** Counts the invoices of the payment sandbox (the simulated Stripe) that have an unpaid balance. */
export async function countOpenTestInvoices(database: Database): Promise<number> {
  const [row] = rowsAs<{ open: number }>(
    await database.transaction(asServer, (query) =>
      query('select internal.count_open_test_invoices() as open'),
    ),
  )
  return row?.open ?? 0
}
