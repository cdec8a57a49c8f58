import { daysBetween } from '#domain/calendar/calendar-date.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'

type Dated = {
  readonly state: string
  /** The time at which the invoice was created: ISO 8601. */
  readonly createdAt: string
  /** The due date: yyyy-MM-dd. */
  readonly dueDate: string | null
}

/**
 * Returns whether the customer still has to pay the invoice, in full or in part. A written-off invoice is not
 * outstanding.
 */
const isOutstanding = ({ state }: Pick<Dated, 'state'>): boolean =>
  state === 'open' || state === 'part_paid'

/**
 * Returns whether staff can record a payment of the invoice: outstanding or written-off invoices (docs/product.md
 * 17.8).
 */
export const isPayable = (invoice: Pick<Dated, 'state'>): boolean =>
  isOutstanding(invoice) || invoice.state === 'written_off'

/** The age of an invoice in shop dates: 'today', '1 day', '12 days'. */
export function invoiceAge({ createdAt }: Dated, today: string): string {
  const days = daysBetween(shopToday(new Date(createdAt)), today)
  return days <= 0 ? 'today' : countDays(days)
}

/**
 * The time for which an outstanding invoice has been past due: '5 days past due'; undefined until the day after its due
 * date.
 */
export function pastDueText(invoice: Dated, today: string): string | undefined {
  if (invoice.dueDate === null || !isOutstanding(invoice)) return undefined
  const days = daysBetween(invoice.dueDate, today)
  return days > 0 ? `${countDays(days)} past due` : undefined
}

const countDays = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`
