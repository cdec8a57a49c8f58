import { invoiceEndpoints, type OpenInvoice } from '#contracts/invoices/invoices.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'

/**
 * Unpaid invoices according to Stripe, at most 100. All components share this query, so that one request serves them.
 */
export const openInvoices = {
  queryKey: ['invoices', 'open'],
  queryFn: listOpenInvoices,
}

async function listOpenInvoices(): Promise<OpenInvoice[]> {
  return orThrow(await callAsAdmin(invoiceEndpoints.open)).invoices
}
