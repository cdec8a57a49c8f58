import type { SentRevision } from '#contracts/estimates/estimates.ts'
import { rowsAs } from '#packages/postgres/columns.ts'
import type { Query } from '#packages/postgres/query.ts'

/** What the customer of an estimate sees; undefined before anything was handed over. */
export async function readSentRevision(
  query: Query,
  estimateId: string,
): Promise<SentRevision | undefined> {
  const [row] = rowsAs<{ sentRevision: SentRevision | null }>(
    await query('select internal.read_sent_revision($1) as "sentRevision"', [estimateId]),
  )
  return row?.sentRevision ?? undefined
}
