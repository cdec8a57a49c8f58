import type { RepairStatus } from '#contracts/bookings/visit-page.ts'
import { readSentRevision } from '#server/features/estimates/read-sent-revision.ts'
import { type Query, rowsAs } from '@local/postgres'

type Read = Omit<RepairStatus, 'sentRevision' | 'estimatePath' | 'hasInvoice'> & {
  readonly estimateId: string | null
  readonly estimatePath: string | null
}

export async function readRepairStatus(query: Query, bookingId: string): Promise<RepairStatus> {
  const [row] = rowsAs<{ work: Read; hasInvoice: boolean }>(
    await query(
      'select internal.read_visit_page_repair($1) as work, internal.has_invoice($1) as "hasInvoice"',
      [bookingId],
    ),
  )
  if (!row) throw new Error('The database returned no repair status of a booking')
  const { estimateId, estimatePath, ...work } = row.work
  const sentRevision = estimateId === null ? undefined : await readSentRevision(query, estimateId)
  return { ...work, hasInvoice: row.hasInvoice, sentRevision, estimatePath: estimatePath ?? '' }
}
