import * as z from 'zod/mini'
import { formatDateTime } from '#domain/calendar/date-time-text.ts'
import { type EstimateJob, estimate as estimateShape } from '#contracts/estimates/estimates.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import {
  type DashboardLink,
  dayLink,
  estimateLink,
  invoicePageLink,
  quoteLink,
  taskLink,
} from '#web/dashboard/kit/navigation/links.ts'

const repairRecords = estimateShape.shape.repairRecords
/**
 * A booking, quote request, estimate, task, invoice or payment that belongs to the same repair as the record on the
 * page (docs/product.md 15.8).
 */
export type RepairRecord = z.output<typeof repairRecords>[number]

/** Reads all records of the repair to which the given record belongs, oldest first, including this record. */
export async function listRepairRecords(
  kind: 'quote' | 'booking' | 'estimate' | 'task' | 'invoice',
  id: string,
): Promise<RepairRecord[]> {
  const { data } = await requestData((service) => service.rpc('list_repair_records', { kind, id }))
  return repairRecords.parse(data ?? [])
}

/**
 * The record from which the server creates an estimate. An empty object creates an empty estimate; a kind of 'towing'
 * creates a towing estimate.
 */
export type EstimateSource =
  | { bookingId: string }
  | { quoteRequestId: string }
  | { vehicleId: string }
  | { customerId: string }
  | { kind: 'towing' }
  | {
      customer: { name: string; email: string; phone: string }
      /** The jobs that the new estimate contains. */
      jobs: EstimateJob[]
    }
  | Record<string, never>

/**
 * Creates an estimate and returns its id. If the record in `source` already has an estimate, returns the id of that
 * estimate.
 */
export async function createEstimate(source: EstimateSource): Promise<string> {
  const { data } = await requestData((service) => service.rpc('create_estimate', { source }))
  return z.object({ id: z.string() }).parse(data).id
}

/** The link to the page of a record; undefined for a payment, which has no page of its own. */
export function repairRecordLink({ kind, id, label }: RepairRecord): DashboardLink | undefined {
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
      return invoicePageLink(id)
    case 'payment':
      return undefined
  }
}

/** The label of a record: 'Tuesday, November 24, 1:00 PM', 'E-0101', '$498.57'. */
export function repairRecordLabel({ kind, label }: RepairRecord): string {
  if (kind === 'payment') return `$${label}`
  if (kind !== 'booking') return label
  const [date = '', time = ''] = label.split(' ')
  return formatDateTime(date, time)
}
