import { useQueryClient } from '@tanstack/react-query'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { usePanel } from '#web/dashboard/kit/navigation/use-panel.ts'

/**
 * Opens the panel 'Take payment' for an invoice. The panel shows the given invoice and reads its current data in the
 * background. The panel therefore opens immediately and receives the keys that the user presses after the shortcut P.
 */
export function useTakePayment(): (invoice: ListedInvoice) => void {
  const queries = useQueryClient()
  const panel = usePanel()
  return (invoice) => {
    // Caches the given invoice as outdated, so that the panel requests its current data.
    queries.setQueryData(['invoices', 'one', invoice.id], invoice, { updatedAt: 1 })
    panel.open({ pay: invoice.id })
  }
}
