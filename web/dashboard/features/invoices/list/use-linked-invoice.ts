import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { readListedInvoice } from '#web/dashboard/kit/payments/invoice-list-api.ts'
import { longestWindow, sentInvoicesQuery } from '../sent-invoices-query.ts'

/**
 * The invoice that a link names. 'Sent Invoices' shows the invoice with its payments and emails. If the invoice is too
 * old for that list (`isOlder`), the page shows the row of the invoice in the list of balances instead.
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
    /** The invoice that the link names, if the list 'Sent Invoices' does not contain it. */
    unlisted: id !== undefined && isListed === false ? (linked.data ?? undefined) : undefined,
  }
}
