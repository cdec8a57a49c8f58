import type { WaitingTarget } from '#domain/today/waiting-item.ts'
import {
  type DashboardLink,
  dayCloseLink,
  dayLink,
  estimateLink,
  outboxLink,
  quoteLink,
  taskLink,
  todaysPaymentLink,
} from '#web/dashboard/kit/navigation/links.ts'

/** Returns the link to the page on which staff can deal with a record that waits for the shop or for a customer. */
export function linkTo(target: WaitingTarget): DashboardLink {
  switch (target.kind) {
    case 'booking':
      return dayLink(target.date, target.id)
    case 'day':
      return dayLink(target.date)
    case 'day_close':
      return dayCloseLink(target.date)
    case 'quote':
      return quoteLink(target.id)
    case 'task':
      return taskLink(target.id)
    case 'estimate':
      return estimateLink(target.id)
    case 'invoice':
      return todaysPaymentLink(target.id)
    case 'outbox':
      return outboxLink
  }
}
