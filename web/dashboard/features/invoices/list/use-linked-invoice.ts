import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { readListedInvoice } from '#web/dashboard/kit/payments/invoice-list-api.ts'
import { longestWindow, sentInvoicesQuery } from '../sent-invoices-query.ts'

/**
 * The invoice that a link names. 'Sent Invoices' shows it with its payments and emails; if it is older than those, its
 * row in the list is the target of the link (`isOlder`).
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
    /** The invoice, if the list does not have it. */
    unlisted: id !== undefined && isListed === false ? (linked.data ?? undefined) : undefined,
  }
}
