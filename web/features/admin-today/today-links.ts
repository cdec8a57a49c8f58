import type { WaitTarget } from '#domain/wait-line.ts'
import { dayLink } from '#web/lib/day-link.ts'

export const invoicesLink = '?tab=invoices'

/** The address of what somebody waits for. */
export function linkTo(target: WaitTarget): string {
  switch (target.kind) {
    case 'booking':
      return dayLink(target.date, target.id)
    case 'day':
      return dayLink(target.date)
    case 'quote':
      return `?tab=quotes&quote=${target.id}`
    case 'task':
      return `?tab=tasks&task=${target.id}`
    case 'invoice':
      return `${invoicesLink}&invoice=${encodeURIComponent(target.id)}`
    case 'outbox':
      return '?tab=outbox'
  }
}
