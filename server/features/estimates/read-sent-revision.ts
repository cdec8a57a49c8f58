import type { SentRevision } from '#contracts/estimates/estimates.ts'
import { type Query, rowsAs } from '@local/postgres'

/** Reads the sent revision of an estimate as its customer sees it; undefined before the first one. */
export async function readSentRevision(
  query: Query,
  estimateId: string,
): Promise<SentRevision | undefined> {
  const [row] = rowsAs<{ sentRevision: SentRevision | null }>(
    await query('select internal.read_sent_revision($1) as "sentRevision"', [estimateId]),
  )
  return row?.sentRevision ?? undefined
}
