import * as z from 'zod/mini'
import { currencyCode } from './currency-code.ts'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { optionalIfInvalid } from '#contracts/api/optional-if-invalid.ts'
import { invoiceId } from '#contracts/invoices/invoice-id.ts'

/** The id of a checkout session at Stripe, for example `cs_test_a1b2`. */
const sessionId = z.string().check(z.regex(/^cs_[A-Za-z0-9_]{1,200}$/))

/** A payment. `amountPaid` is in minor units (cents), `paidAt` is an ISO 8601 instant. */
const payment = z.object({
  status: z.string(),
  invoiceId: z.string(),
  invoiceNumber: z.string(),
  amountPaid: z.int(),
  currency: currencyCode,
  paidAt: z.nullish(z.string()),
  /**
   * The full address when the browser has a checkout of the invoice and the address is the invoice's own; else masked:
   * 'd•••@example.com'.
   */
  customerEmail: z.nullish(z.string()),
  description: z.nullish(z.string()),
})
export type Payment = z.infer<typeof payment>

const verified = z.object({
  ok: z.literal(true),
  payment,
  testMode: optionalIfInvalid(z.boolean()),
})

/** The endpoints of the page that follows the payment of an invoice (docs/product.md 7.1). */
export const paymentEndpoints = {
  verifySession: {
    method: 'GET',
    path: '/api/payment/session-verify',
    request: z.object({
      sessionId,
      /** An empty id, from a URL that lost it, counts as none. */
      invoiceId: z.optional(z.union([invoiceId, z.literal('')])),
    }),
    response: verified,
  },
  verifyInvoice: {
    method: 'GET',
    path: '/api/payment/verify',
    request: z.object({ invoiceId }),
    response: verified,
  },
  /** The address and name of the request are ignored except as hints: the receipt goes to the payer. */
  sendConfirmation: {
    method: 'POST',
    path: '/api/send-payment-confirmation',
    request: z.object({
      invoiceId,
      customerEmail: z.nullish(z.string().check(z.maxLength(254))),
      customerName: z.nullish(z.string().check(z.maxLength(200))),
    }),
    response: z.object({
      ok: z.literal(true),
      emailId: z.nullish(z.string()),
      message: z.nullish(z.string()),
    }),
  },
} satisfies Record<string, Endpoint>
