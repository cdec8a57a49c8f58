import * as z from 'zod/mini'
import { currencyCode } from '#contracts/payments/currency-code.ts'
import type { Endpoint, RequestOf } from '#contracts/api/endpoint.ts'
import { optionalIfInvalid } from '#contracts/api/optional-if-invalid.ts'

/** What an invoice number may look like; everything else is INVALID_INPUT without a look-up. */
export const invoiceNumberPattern = /^[A-Za-z0-9-]{1,40}$/

const found = z.object({
  ok: z.literal(true),
  invoice: z.object({
    id: z.string(),
    /** On our own origin, good for fifteen minutes. */
    pdfUrl: z.string(),
    // Additions of ours, good to have: the page works without them, and with what it cannot read.
    /** The same invoice as an HTML page, for browsers that show no PDF in a frame. */
    pageUrl: optionalIfInvalid(z.string()),
    number: optionalIfInvalid(z.string()),
    /** What is still to pay, in minor units of `currency`. */
    amountDue: optionalIfInvalid(z.int()),
    currency: optionalIfInvalid(currencyCode),
  }),
  /** Set while no money can move: payments go to the sandbox. */
  testMode: optionalIfInvalid(z.boolean()),
})
export type FoundInvoice = z.infer<typeof found>['invoice']

/** Finding an invoice by what is printed on it (docs/product.md 8.1). */
export const lookupInvoiceEndpoint = {
  method: 'POST',
  path: '/api/invoice/lookup',
  request: z.object({
    invoiceNumber: z.string().check(z.maxLength(500)),
    /** The address that the invoice was made for; only looked at where the shop asks for it. */
    customerEmail: z.nullish(z.string().check(z.maxLength(254))),
  }),
  response: found,
} satisfies Endpoint
export type LookupInvoiceRequest = RequestOf<typeof lookupInvoiceEndpoint>
