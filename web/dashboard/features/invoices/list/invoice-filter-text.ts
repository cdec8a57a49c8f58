import type { InvoiceFilter } from '#domain/invoices/invoice-filters.ts'
import type { InvoiceList } from './list-api.ts'

const names: Readonly<Record<InvoiceFilter, string>> = {
  open: 'Open',
  past_due: 'Past due',
  paid: 'Paid',
  written_off: 'Written off',
  void: 'Void',
  all: 'All',
}

/** The label of a filter button: 'Open (6)'. Only the filters for outstanding invoices show a number. */
export function filterLabel(filter: InvoiceFilter, list: InvoiceList | undefined): string {
  const count = { open: list?.counts.open, past_due: list?.counts.pastDue }[filter as string]
  return count ? `${names[filter]} (${count})` : names[filter]
}

/** The text that replaces the rows of an empty list. */
export const emptyTexts: Readonly<Record<InvoiceFilter, string>> = {
  open: 'No open invoices. All invoices are paid.',
  past_due: 'No invoice is past due.',
  paid: 'No invoice is paid yet.',
  written_off: 'No invoice is written off.',
  void: 'No invoice is void.',
  all: 'No invoices yet. Create one from an approved estimate, or below.',
}

/** The line below the rows: '6 open invoices. Newest first.' */
export function footText(filter: InvoiceFilter, shown: number, isOldestFirst: boolean): string {
  const name = filter === 'all' ? '' : `${names[filter].toLowerCase()} `
  const order = isOldestFirst ? 'Oldest first.' : 'Newest first.'
  return `${shown} ${name}${shown === 1 ? 'invoice' : 'invoices'}. ${order}`
}
