import type { WaitingTarget } from '#domain/today/waiting-item.ts'
import { dayLink } from '#web/dashboard/kit/bookings/day-link.ts'
import { invoiceLink, quoteLink, taskLink } from '#web/dashboard/kit/records/record-links.ts'

export const invoicesLink = '?tab=invoices'

/** The link to the record that resolves a waiting item. */
export function linkTo(target: WaitingTarget): string {
  switch (target.kind) {
    case 'booking':
      return dayLink(target.date, target.id)
    case 'day':
      return dayLink(target.date)
    case 'quote':
      return quoteLink(target.id)
    case 'task':
      return taskLink(target.id)
    case 'invoice':
      return invoiceLink(target.id)
    case 'outbox':
      return '?tab=outbox'
  }
}
