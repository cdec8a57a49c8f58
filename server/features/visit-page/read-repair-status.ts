import type { SentRevision } from '#contracts/estimates/estimates.ts'
import type { TaskStatus } from '#domain/tasks/task-status.ts'
import { readSentRevision } from '#server/features/estimates/read-sent-revision.ts'
import { type Query, rowsAs } from '@local/postgres'

/** What is done on the car of an appointment, as its page says it. */
export type RepairStatus = {
  /** What was handed over last; undefined when nothing was. */
  readonly sentRevision: SentRevision | undefined
  /** '/estimate/<token>' */
  readonly estimatePath: string
  readonly tasks: readonly WorkTask[]
  readonly events: readonly WorkEvent[]
  /** Whether there is an invoice, also where the page does not show it. */
  readonly hasInvoice: boolean
  readonly invoice: {
    readonly number: string
    readonly totalCents: number
    readonly isPaid: boolean
    /** 'yyyy-MM-ddTHH:mm:ss', shop time. */
    readonly paidAt: string | null
  } | null
}

type WorkTask = {
  /** Empty where it is the shop's own word. */
  readonly title: string
  readonly status: TaskStatus
  /** What the shop says beside the status, to the customer. */
  readonly note: string
  readonly isReady: boolean
}

type WorkEvent = {
  readonly kind: 'waiting_on_parts' | 'ready'
  readonly title: string
  /** 'yyyy-MM-ddTHH:mm:ss', shop time. */
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
  if (!row) throw new Error('The database said nothing about the work of a visit')
  const { estimateId, estimatePath, ...work } = row.work
  const sentRevision = estimateId === null ? undefined : await readSentRevision(query, estimateId)
  return { ...work, hasInvoice: row.hasInvoice, sentRevision, estimatePath: estimatePath ?? '' }
}
