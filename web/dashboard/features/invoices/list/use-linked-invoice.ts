import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { readListedInvoice } from '#web/dashboard/kit/payments/invoice-list-api.ts'
import { longestWindow, sentInvoicesQuery } from '../sent-invoices-query.ts'

/**
 * Reads the invoice whose id is in the URL. The list 'Sent Invoices' shows this invoice with its payments and emails.
 * If the invoice is too old for 'Sent Invoices' (`isOlder`), the page shows its row in the list of invoices with their
 * balances.
 */
export function useLinkedInvoice(listed: readonly ListedInvoice[] | undefined) {
  const { invoice: id } = useSearch({ from: '/invoices' })
  const sent = useQuery({ ...sentInvoicesQuery(longestWindow), enabled: id !== undefined })
  const isListed = listed?.some((invoice) => invoice.id === id)
  const linked = useQuery({
    queryKey: ['invoices', 'listed', id],
    queryFn: () => readListedInvoice(id ?? ''),
    enabled: id !== undefined && isListed === false,
  })
  return {
    id,
    isOlder: sent.data !== undefined && sent.data.every((invoice) => invoice.id !== id),
    /** The invoice whose id is in the URL, if the loaded list of invoices does not contain this invoice. */
    unlisted: id !== undefined && isListed === false ? (linked.data ?? undefined) : undefined,
  }
}
