import type { SentRevision } from '#contracts/estimates.ts'
import { rowsAs } from '#server/platform/database/columns.ts'
import type { Query } from '#server/platform/database/query.ts'

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
