import { useQuery } from '@tanstack/react-query'
import { handOverInvoiceEndpoint } from '#contracts/invoices/linked-invoice.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'

/** Two URLs of an invoice page: one for the QR code, and a short one that a customer types. */
export function useInvoiceLink(invoiceId: string) {
  return useQuery({
    queryKey: ['invoices', 'link', invoiceId],
    queryFn: async () => orThrow(await callAsAdmin(handOverInvoiceEndpoint, { invoiceId })),
    // The link of an invoice never changes, so the cached link never expires.
    staleTime: Infinity,
  })
}
