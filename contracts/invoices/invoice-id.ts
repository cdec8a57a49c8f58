import * as z from 'zod/mini'

/** The id of an invoice at Stripe, for example `in_1MtHbELkdIwHu7ixl4OzzPMv`. */
export const invoiceId = z.string().check(z.regex(/^in_[A-Za-z0-9_]{1,90}$/))
