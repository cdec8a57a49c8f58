import { useQueryClient } from '@tanstack/react-query'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { usePanel } from '#web/dashboard/kit/navigation/use-panel.ts'

/**
 * Opens the panel 'Take payment' for an invoice. The panel first shows the given record and reads the current one in
 * the background, so that the panel immediately receives the keys that the user presses after the shortcut P.
 */
export function useTakePayment(): (invoice: ListedInvoice) => void {
  const queries = useQueryClient()
  const panel = usePanel()
  return (invoice) => {
    // Marks the cached record as outdated, so that the panel requests the current record.
    queries.setQueryData(['invoices', 'one', invoice.id], invoice, { updatedAt: 1 })
    panel.open({ pay: invoice.id })
  }
}
