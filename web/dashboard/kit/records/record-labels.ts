import { invoiceStatusLabel } from '#domain/bookings/state-labels.ts'
import type { BadgeTone } from '#web/ui/badge/badge.tsx'

type BadgeLabel = { readonly tone: BadgeTone; readonly label: string }

const estimates: Readonly<Record<string, BadgeLabel>> = {
  draft: { tone: 'neutral', label: 'Draft' },
  sent: { tone: 'info', label: 'Sent' },
  seen: { tone: 'info', label: 'Viewed' },
  approved: { tone: 'ok', label: 'Approved' },
  declined: { tone: 'ring', label: 'Declined' },
  expired: { tone: 'ring', label: 'Expired' },
  invoiced: { tone: 'ok', label: 'Invoiced' },
}

/** The badge of an estimate's state. */
export function estimateLabel(state: string): BadgeLabel {
  return estimates[state] ?? { tone: 'neutral', label: state }
}

const invoiceTones: Readonly<Record<string, BadgeTone>> = {
  draft: 'ring',
  open: 'info',
  paid: 'ok',
  uncollectible: 'danger',
  void: 'ring',
}

/** The badge of an invoice's status. */
export function invoiceLabel(status: string): BadgeLabel {
  return { tone: invoiceTones[status] ?? 'neutral', label: invoiceStatusLabel(status) }
}

const quotes: Readonly<Record<string, BadgeLabel>> = {
  pending: { tone: 'ring', label: 'No answer' },
  completed: { tone: 'ok', label: 'Answered' },
}

/** The badge of a quote request's status. */
export function quoteLabel(status: string): BadgeLabel {
  return quotes[status] ?? { tone: 'neutral', label: status }
}
