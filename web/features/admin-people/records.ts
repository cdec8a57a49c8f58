import type { CustomerRecord } from '#contracts/people.ts'

/** The records of which the story of a person, or of a car, is made. */
export type KnownEstimate = CustomerRecord['estimates'][number]
export type KnownInvoice = CustomerRecord['invoices'][number]
export type KnownQuote = CustomerRecord['quotes'][number]
export type KnownTask = CustomerRecord['tasks'][number]
export type LookAlike = CustomerRecord['maybeSame'][number]
