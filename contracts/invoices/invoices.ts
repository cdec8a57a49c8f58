import * as z from 'zod/mini'
import type { ResponseOf, Endpoint, RequestOf } from '#contracts/api/endpoint.ts'

/**
 * The limits of one invoice: the number of lines, text lengths in characters, and the number of days until payment is
 * due.
 */
export const invoiceLimits = {
  lines: 100,
  descriptionLength: 500,
  memoLength: 500,
  nameLength: 200,
  emailLength: 254,
  phoneLength: 20,
  dueDays: 365,
} as const

const text = (maxLength: number) =>
  z._default(z.nullable(z.string().check(z.trim(), z.maxLength(maxLength))), '')

/** A number, or a number as decimal text. */
const numberInput = z.nullish(z.union([z.number(), z.string().check(z.maxLength(40))]))

/**
 * An invoice as the dashboard lists it. `created` is in seconds since 1970, `status` is the status at Stripe,
 * `balanceCents` is the unpaid part of `totalCents`.
 */
export const adminInvoice = z.object({
  id: z.string(),
  number: z.nullish(z.string()),
  status: z.nullish(z.string()),
  hosted_invoice_url: z.nullish(z.string()),
  invoice_pdf: z.nullish(z.string()),
  created: z.nullish(z.int()),
  customer_name: z.nullish(z.string()),
  customer_email: z.nullish(z.string()),
  totalCents: z.nullish(z.int()),
  balanceCents: z.nullish(z.int()),
  currency: z.nullish(z.string()),
})
export type AdminInvoice = z.infer<typeof adminInvoice>

/** The endpoints for creating and listing invoices (docs/product.md 7.1). */
export const invoiceEndpoints = {
  /**
   * Creates an invoice. Amounts are in US dollars, as decimal text ('19.99') or as a number with at most two decimals
   * (19.99). `domain/invoices/invoice-lines.ts` drops invalid lines and converts quantity and due days to valid
   * numbers.
   */
  create: {
    method: 'POST',
    path: '/api/invoice/create',
    rights: 'admin',
    request: z.object({
      customer: z.object({
        name: text(invoiceLimits.nameLength),
        email: text(invoiceLimits.emailLength),
        phone: text(invoiceLimits.phoneLength),
      }),
      lineItems: z
        .array(
          z.object({
            description: z._default(
              z.nullable(z.string().check(z.maxLength(invoiceLimits.descriptionLength))),
              '',
            ),
            amount: numberInput,
            quantity: numberInput,
          }),
        )
        .check(z.maxLength(invoiceLimits.lines)),
      memo: text(invoiceLimits.memoLength),
      dueDays: numberInput,
      sendEmail: z._default(z.boolean(), false),
      /**
       * True for a customer without an email address, whose invoice is printed or handed over; the request must then
       * contain the customer's name.
       */
      isForPrint: z.optional(z.boolean()),
      currency: z._default(z.literal('usd'), 'usd'),
    }),
    /**
     * `emailSent` and `emailError` are the result of emailing the invoice. Both are undefined while the result is
     * unknown; `emailSent` is false when the email failed.
     */
    response: z.object({
      ok: z.literal(true),
      message: z.nullish(z.string()),
      invoice: adminInvoice,
      emailSent: z.nullish(z.boolean()),
      emailError: z.nullish(z.string()),
      /** True when no mail server is configured, so that the email stays in the outbox. */
      isEmailInOutbox: z.optional(z.boolean()),
    }),
  },
  list: {
    method: 'GET',
    path: '/api/invoice/list',
    rights: 'admin',
    request: z.object({
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 25),
      days: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(366)), 7),
    }),
    response: z.object({ ok: z.literal(true), invoices: z.array(adminInvoice) }),
  },
} satisfies Record<string, Endpoint>
export type CreateInvoiceRequest = RequestOf<typeof invoiceEndpoints.create>
export type CreateInvoiceResponse = ResponseOf<typeof invoiceEndpoints.create>
