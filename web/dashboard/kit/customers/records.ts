import type { CustomerRecord } from '#contracts/customers.ts'

/**
 * The types of the entries of a customer record: estimates, invoices, quote requests, tasks and possible duplicates.
 */
export type CustomerEstimate = CustomerRecord['estimates'][number]
export type CustomerInvoice = CustomerRecord['invoices'][number]
export type CustomerQuote = CustomerRecord['quotes'][number]
export type CustomerTask = CustomerRecord['tasks'][number]
export type DuplicateCandidate = CustomerRecord['maybeSame'][number]
