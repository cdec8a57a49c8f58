import { queryOptions } from '@tanstack/react-query'
import { listInvoices } from './invoices-api.ts'

/** The longest selectable period of 'Sent Invoices', in days (docs/product.md 9.5). */
export const longestWindow = 90

/** Reads the invoices of the last `days` days, with the URLs of their pages at Stripe. */
export const sentInvoicesQuery = (days: number) =>
  queryOptions({ queryKey: ['invoices', 'list', days], queryFn: () => listInvoices(days) })
