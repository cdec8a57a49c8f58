import { invoiceEndpoints, type OpenInvoice } from '#contracts/invoices/invoices.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'

/** What is still to be paid, by the processor's books, at most 100; asked once for all who want to know. */
export const openInvoices = {
  queryKey: ['invoices', 'open'],
  queryFn: listOpenInvoices,
}

async function listOpenInvoices(): Promise<OpenInvoice[]> {
  return orThrow(await callAsAdmin(invoiceEndpoints.open)).invoices
}
