import type { InvoicePrefill } from '#contracts/invoices/invoice-prefill.ts'

// The URL must not contain names or email addresses, so this variable passes them to the invoice form, which reads them
// once.
let prefill: InvoicePrefill | undefined

/** Stores the values with which the next invoice form opens. */
export function prefillInvoice(next: InvoicePrefill): void {
  prefill = next
}

export function takeInvoicePrefill(): InvoicePrefill | undefined {
  const taken = prefill
  prefill = undefined
  return taken
}
