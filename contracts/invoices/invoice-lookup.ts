import * as z from 'zod/mini'
import { currencyCode } from '#contracts/payments/currency-code.ts'
import type { Endpoint, RequestOf } from '#contracts/api/endpoint.ts'
import { optionalIfInvalid } from '#contracts/api/optional-if-invalid.ts'

/**
 * The format of an invoice number. The server refuses any other text with INVALID_INPUT and does not search for an
 * invoice.
 */
export const invoiceNumberPattern = /^[A-Za-z0-9-]{1,40}$/

const found = z.object({
  ok: z.literal(true),
  invoice: z.object({
    id: z.string(),
    /** The URL of the invoice's PDF on the shop's own site, valid for fifteen minutes. */
    pdfUrl: z.string(),
    // The following fields are optional: the lookup page ignores a missing or invalid value.
    /** The URL of the same invoice as an HTML page, for browsers that show no PDF in a frame. */
    pageUrl: optionalIfInvalid(z.string()),
    number: optionalIfInvalid(z.string()),
    /** The unpaid amount of the invoice, in minor units of `currency`. */
    amountDue: optionalIfInvalid(z.int()),
    currency: optionalIfInvalid(currencyCode),
  }),
  /** True when the shop uses the payment sandbox, in which no money moves. */
  testMode: optionalIfInvalid(z.boolean()),
})
export type FoundInvoice = z.infer<typeof found>['invoice']

/** Finds an invoice by its number (docs/product.md 8.1). */
export const lookupInvoiceEndpoint = {
  method: 'POST',
  path: '/api/invoice/lookup',
  rights: 'public',
  request: z.object({
    invoiceNumber: z.string().check(z.maxLength(500)),
    /**
     * The email address of the invoice's customer. The server compares this address with the invoice only when the
     * shop's settings require the address for a lookup.
     */
    customerEmail: z.nullish(z.string().check(z.maxLength(254))),
  }),
  response: found,
} satisfies Endpoint
export type LookupInvoiceRequest = RequestOf<typeof lookupInvoiceEndpoint>
