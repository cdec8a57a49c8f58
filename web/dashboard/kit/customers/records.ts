import type { CustomerRecord } from '#contracts/customers.ts'

/** The types of the records that a customer record contains. */
export type CustomerEstimate = CustomerRecord['estimates'][number]
export type CustomerInvoice = CustomerRecord['invoices'][number]
export type CustomerQuote = CustomerRecord['quotes'][number]
export type CustomerTask = CustomerRecord['tasks'][number]
export type DuplicateCandidate = CustomerRecord['maybeSame'][number]
