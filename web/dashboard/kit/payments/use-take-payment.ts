import { useQueryClient } from '@tanstack/react-query'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { usePanel } from '#web/dashboard/kit/navigation/use-panel.ts'

/**
 * Opens 'Take payment' for an invoice. The panel opens immediately with the given record and fetches the current one in
 * the background, so that keys pressed right after P reach the panel.
 */
export function useTakePayment(): (invoice: ListedInvoice) => void {
  const queries = useQueryClient()
  const panel = usePanel()
  return (invoice) => {
    // Marks the record as outdated, so that the panel fetches the current one.
    queries.setQueryData(['invoices', 'one', invoice.id], invoice, { updatedAt: 1 })
    panel.open({ pay: invoice.id })
  }
}
