import * as z from 'zod/mini'

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
    number: z.optional(z.string()),
    /** What is still to pay, in minor units of `currency`. */
    amountDue: z.optional(z.int()),
    currency: z.optional(z.string()),
  }),
  /** Set while no money can move: payments go to the sandbox. */
  testMode: z.optional(z.boolean()),
})
export type FoundInvoice = z.infer<typeof lookupInvoiceResponse>['invoice']
