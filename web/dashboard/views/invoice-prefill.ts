import type { InvoicePrefill } from '#contracts/invoices/invoice-prefill.ts'

// The URL contains no names and no email addresses. This variable passes them to the invoice form, which reads
// them once.
let prefill: InvoicePrefill | undefined

/** Stores the initial values of the next invoice form. */
export function prefillInvoice(next: InvoicePrefill): void {
  prefill = next
}

export function takeInvoicePrefill(): InvoicePrefill | undefined {
  const taken = prefill
  prefill = undefined
  return taken
}
