import { invalidRequest } from '../api/api-error.ts'
import type { WireInvoice } from '../objects/wire.ts'

/** Refuses what only a draft allows. */
export function demandDraft(invoice: WireInvoice): WireInvoice {
  if (invoice.status === 'draft') return invoice
  throw invalidRequest(
    `Invoice ${invoice.id} is no longer editable: its status is ${String(invoice.status)}.`,
    'invoice_not_editable',
    'invoice',
  )
}

/**
 * Refuses what only an open invoice allows. The words and the missing code are unconfirmed: callers
 * re-read the invoice instead of interpreting this refusal.
 */
export function demandOpen(invoice: WireInvoice, action: string): WireInvoice {
  if (invoice.status === 'open') return invoice
  throw invalidRequest(
    `You can only ${action} an open invoice. This invoice is ${String(invoice.status)}.`,
  )
}

/** An invoice can be paid while it is open, and still after the shop gave up on it. */
export function demandPayable(invoice: WireInvoice): void {
  if (invoice.status === 'open' || invoice.status === 'uncollectible') return
  if (invoice.status === 'paid') throw invalidRequest('Invoice is already paid')
  throw invalidRequest(`Invoices with status ${String(invoice.status)} cannot be paid.`)
}
