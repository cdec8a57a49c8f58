import * as z from 'zod/mini'
import { estimate as estimateShape } from '#contracts/estimates/estimates.ts'
import { formatDayOfYear } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import { dayLink } from '#web/dashboard/kit/bookings/day-link.ts'
import { estimateLink, invoiceLink, quoteLink, taskLink } from './record-links.ts'

const repairRecords = estimateShape.shape.repairRecords
/** One of what belongs to the same repair (docs/product.md 15.8). */
export type RepairRecord = z.output<typeof repairRecords>[number]

/** What belongs to the same repair as a record, oldest first, with the record itself. */
export async function listRepairRecords(
  kind: 'quote' | 'booking' | 'estimate' | 'task' | 'invoice',
  id: string,
): Promise<RepairRecord[]> {
  const { data } = await requestData((service) => service.rpc('list_repair_records', { kind, id }))
  return repairRecords.parse(data ?? [])
}

/** What an estimate is begun from; nothing is known of one that is begun from nothing. */
export type EstimateSource =
  | { bookingId: string }
  | { quoteRequestId: string }
  | { vehicleId: string }
  | { customerId: string }
  | Record<string, never>

/** Begins an estimate, or finds the one that was begun from the same; returns its id. */
export async function createEstimate(source: EstimateSource): Promise<string> {
  const { data } = await requestData((service) => service.rpc('create_estimate', { source }))
  return z.object({ id: z.string() }).parse(data).id
}

/** Where a record is seen; undefined where it has no place of its own. */
export function repairRecordLink({ kind, id, label }: RepairRecord): string | undefined {
  switch (kind) {
    case 'quote':
      return quoteLink(id)
    case 'booking':
      return dayLink(label.slice(0, 10), id)
    case 'estimate':
      return estimateLink(id)
    case 'task':
      return taskLink(id)
    case 'invoice':
      return invoiceLink(id)
    case 'payment':
      return undefined
  }
}

/** What a record is called: 'Tuesday, November 24, 1:00 PM', 'E-0101', '$498.57'. */
export function repairRecordLabel({ kind, label }: RepairRecord): string {
  if (kind === 'payment') return `$${label}`
  if (kind !== 'booking') return label
  const [date = '', time = ''] = label.split(' ')
  return `${formatDayOfYear(date)}, ${formatTime(time)}`
}
