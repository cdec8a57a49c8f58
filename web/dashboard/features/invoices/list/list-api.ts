import * as z from 'zod/mini'
import { invoiceList, type ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import type { InvoiceFilter } from '#domain/invoices/invoice-filters.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import { readListedInvoice } from '#web/dashboard/kit/payments/invoice-list-api.ts'

export type InvoiceList = z.output<typeof invoiceList> & {
  /** Whether the database has older invoices that match the filter and are not in the list. */
  readonly hasMore: boolean
}

/**
 * Reads the newest invoices that match a filter. The result also contains the invoices of `before` (the list so far)
 * that no longer match the filter, so that a paid invoice keeps its row.
 */
export async function listInvoices(
  filter: InvoiceFilter,
  maxRows: number,
  before: readonly ListedInvoice[],
): Promise<InvoiceList> {
  const { data } = await requestData((service) =>
    service.rpc('list_invoices', { filter, max_rows: maxRows }),
  )
  const list = invoiceList.parse(data)
  const ids = new Set(list.invoices.map(({ id }) => id))
  const left = before.filter(({ id }) => !ids.has(id))
  const kept = await Promise.all(left.map(({ id }) => readListedInvoice(id)))
  const invoices = [...list.invoices, ...kept.filter((invoice) => invoice !== null)]
  return {
    ...list,
    invoices: invoices.toSorted(newestFirst),
    hasMore: list.invoices.length >= maxRows,
  }
}

/** Sorts invoices in the same order as the database, so that an invoice keeps its row in the list after it is paid. */
const newestFirst = (a: ListedInvoice, b: ListedInvoice) =>
  Date.parse(b.createdAt) - Date.parse(a.createdAt) || a.id.localeCompare(b.id)

/** Whether the shop has any invoice. */
export async function hasAnyInvoice(): Promise<boolean> {
  return (await listInvoices('all', 1, [])).invoices.length > 0
}
