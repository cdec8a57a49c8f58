import type { CustomerRecord } from '#contracts/customers.ts'

/** The records of which the story of a person, or of a car, is made. */
export type CustomerEstimate = CustomerRecord['estimates'][number]
export type CustomerInvoice = CustomerRecord['invoices'][number]
export type CustomerQuote = CustomerRecord['quotes'][number]
export type CustomerTask = CustomerRecord['tasks'][number]
export type DuplicateCandidate = CustomerRecord['maybeSame'][number]
