import type { KnownPerson } from '#contracts/people.ts'

/** The records of which the story of a person, or of a car, is made. */
export type KnownEstimate = KnownPerson['estimates'][number]
export type KnownInvoice = KnownPerson['invoices'][number]
export type KnownQuote = KnownPerson['quotes'][number]
export type KnownTask = KnownPerson['tasks'][number]
export type LookAlike = KnownPerson['maybeSame'][number]
