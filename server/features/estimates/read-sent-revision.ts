import type { SentRevision } from '#contracts/estimates/estimates.ts'
import { type Query, rowsAs } from '@local/postgres'

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
