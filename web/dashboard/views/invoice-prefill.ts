import type { InvoicePrefill } from '#contracts/invoices/invoice-prefill.ts'

// Names and addresses stay out of the address: the invoice form takes them from here, once.
let prefill: InvoicePrefill | undefined

/** Keeps what the next invoice form begins with. */
export function prefillInvoice(next: InvoicePrefill): void {
  prefill = next
}

export function takeInvoicePrefill(): InvoicePrefill | undefined {
  const taken = prefill
  prefill = undefined
  return taken
}
