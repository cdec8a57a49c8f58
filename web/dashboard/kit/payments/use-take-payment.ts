import { useQueryClient } from '@tanstack/react-query'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { usePanel } from '#web/dashboard/kit/navigation/use-panel.ts'

/**
 * Opens 'Take payment' for an invoice. The panel shows the given record at once and reads the current one meanwhile, so
 * that keys pressed right after P reach it.
 */
export function useTakePayment(): (invoice: ListedInvoice) => void {
  const queries = useQueryClient()
  const panel = usePanel()
  return (invoice) => {
    // The old age makes the panel read the current record.
    queries.setQueryData(['invoices', 'one', invoice.id], invoice, { updatedAt: 1 })
    panel.open({ pay: invoice.id })
  }
}
