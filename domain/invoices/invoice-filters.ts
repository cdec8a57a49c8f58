/** The filters of the invoice list, in the order of their buttons; the first one is the default. */
export const invoiceFilters = ['open', 'past_due', 'paid', 'written_off', 'void', 'all'] as const

export type InvoiceFilter = (typeof invoiceFilters)[number]
