import { invalidRequest } from '../api/api-error.ts'
import type { WireInvoice } from '../objects/wire.ts'

/** Throws an ApiError when the invoice is not a draft. */
export function requireDraft(invoice: WireInvoice): WireInvoice {
  if (invoice.status === 'draft') return invoice
  throw invalidRequest(
    `Invoice ${invoice.id} is no longer editable: its status is ${String(invoice.status)}.`,
    'invoice_not_editable',
    'invoice',
  )
}

/**
 * Throws an ApiError when the invoice is not open. The error of Stripe may have another message and code, so clients
 * should read the invoice again instead of interpreting this error.
 */
export function requireOpen(invoice: WireInvoice, action: string): WireInvoice {
  if (invoice.status === 'open') return invoice
  throw invalidRequest(
    `You can only ${action} an open invoice. This invoice is ${String(invoice.status)}.`,
  )
}

/** Throws an ApiError unless the invoice can be paid. Only open and uncollectible invoices can be paid. */
export function requirePayable(invoice: WireInvoice): void {
  if (invoice.status === 'open' || invoice.status === 'uncollectible') return
  if (invoice.status === 'paid') throw invalidRequest('Invoice is already paid')
  throw invalidRequest(`Invoices with status ${String(invoice.status)} cannot be paid.`)
}
