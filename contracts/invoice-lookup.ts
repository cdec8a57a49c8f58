import * as z from 'zod/mini'
import { currencyCode } from './currency-code.ts'
import { ifReadable } from './if-readable.ts'

/** What an invoice number may look like; everything else is INVALID_INPUT without a look-up. */
export const invoiceNumberPattern = /^[A-Za-z0-9-]{1,40}$/

/** POST /api/invoice/lookup */
export const lookupInvoiceRequest = z.object({ invoiceNumber: z.string().check(z.maxLength(500)) })

export const lookupInvoiceResponse = z.object({
  ok: z.literal(true),
  invoice: z.object({
    id: z.string(),
    /** On our own origin, good for fifteen minutes. */
    pdfUrl: z.string(),
    // Additions of ours, good to have: the page works without them, and with what it cannot read.
    /** The same invoice as an HTML page, for browsers that show no PDF in a frame. */
    pageUrl: ifReadable(z.string()),
    number: ifReadable(z.string()),
    /** What is still to pay, in minor units of `currency`. */
    amountDue: ifReadable(z.int()),
    currency: ifReadable(currencyCode),
  }),
  /** Set while no money can move: payments go to the sandbox. */
  testMode: ifReadable(z.boolean()),
})
export type FoundInvoice = z.infer<typeof lookupInvoiceResponse>['invoice']
