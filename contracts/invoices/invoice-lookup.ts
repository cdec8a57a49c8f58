import * as z from 'zod/mini'
import { currencyCode } from '#contracts/payments/currency-code.ts'
import type { Endpoint, RequestOf } from '#contracts/api/endpoint.ts'
import { optionalIfInvalid } from '#contracts/api/optional-if-invalid.ts'

/** The format of an invoice number; any other text is refused with INVALID_INPUT without a lookup. */
export const invoiceNumberPattern = /^[A-Za-z0-9-]{1,40}$/

const found = z.object({
  ok: z.literal(true),
  invoice: z.object({
    id: z.string(),
    /** A URL of the shop's own origin, valid for fifteen minutes. */
    pdfUrl: z.string(),
    // The page works without the following fields and ignores values that it cannot read.
    /** The same invoice as an HTML page, for browsers that show no PDF in a frame. */
    pageUrl: optionalIfInvalid(z.string()),
    number: optionalIfInvalid(z.string()),
    /** The open amount in minor units of `currency`. */
    amountDue: optionalIfInvalid(z.int()),
    currency: optionalIfInvalid(currencyCode),
  }),
  /** True when payments go to the sandbox, so that no money moves. */
  testMode: optionalIfInvalid(z.boolean()),
})
export type FoundInvoice = z.infer<typeof found>['invoice']

/** Finding an invoice by its number (docs/product.md 8.1). */
export const lookupInvoiceEndpoint = {
  method: 'POST',
  path: '/api/invoice/lookup',
  request: z.object({
    invoiceNumber: z.string().check(z.maxLength(500)),
    /** The email address of the invoice's customer; only checked when the shop's settings require it. */
    customerEmail: z.nullish(z.string().check(z.maxLength(254))),
  }),
  response: found,
} satisfies Endpoint
export type LookupInvoiceRequest = RequestOf<typeof lookupInvoiceEndpoint>
