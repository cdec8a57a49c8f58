import type { SentRevision } from '#contracts/estimates/estimates.ts'
import type { TaskStatus } from '#domain/tasks/task-status.ts'
import { readSentRevision } from '#server/features/estimates/read-sent-revision.ts'
import { type Query, rowsAs } from '@local/postgres'

/** The repair of a booking's vehicle, as the visit page shows it. */
export type RepairStatus = {
  /** The latest sent revision of the estimate; undefined before the first one. */
  readonly sentRevision: SentRevision | undefined
  /** The path '/estimate/<token>'. */
  readonly estimatePath: string
  readonly tasks: readonly WorkTask[]
  readonly events: readonly WorkEvent[]
  /** Whether there is an invoice, even when the page does not show it. */
  readonly hasInvoice: boolean
  readonly invoice: {
    readonly number: string
    readonly totalCents: number
    readonly isPaid: boolean
    /** Shop time 'yyyy-MM-ddTHH:mm:ss'. */
    readonly paidAt: string | null
  } | null
}

type WorkTask = {
  /** Empty when staff wrote the title themselves. */
  readonly title: string
  readonly status: TaskStatus
  /** The note for the customer beside the status. */
  readonly note: string
  readonly isReady: boolean
}

type WorkEvent = {
  readonly kind: 'waiting_on_parts' | 'ready'
  readonly title: string
  /** Shop time 'yyyy-MM-ddTHH:mm:ss'. */
  readonly at: string
}

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
