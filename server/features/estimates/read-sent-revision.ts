import type { Deposit } from '#contracts/payments/deposits.ts'
import type { SentRevision } from '#contracts/estimates/estimates.ts'
import { type Query, rowsAs } from '@local/postgres'

/**
 * Reads the latest revision of an estimate that was sent to the customer, and the deposit; undefined if no revision
 * was sent.
 */
export async function readSentRevision(
  query: Query,
  estimateId: string,
): Promise<SentRevision | undefined> {
  const [row] = rowsAs<{ sentRevision: SentRevision | null; deposit: Deposit }>(
    await query(
      'select internal.read_sent_revision($1) as "sentRevision", internal.read_sent_deposit($1) as deposit',
      [estimateId],
    ),
  )
  return row?.sentRevision ? { ...row.sentRevision, deposit: row.deposit } : undefined
}
