import * as z from 'zod/mini'
import { currencyCode } from './currency-code.ts'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { optionalIfInvalid } from '#contracts/api/optional-if-invalid.ts'
import { invoiceId } from '#contracts/invoices/invoice-id.ts'

/** The id of a Checkout Session at Stripe, for example `cs_test_a1b2`. */
const sessionId = z.string().check(z.regex(/^cs_[A-Za-z0-9_]{1,200}$/))

/**
 * A payment as the page after the payment shows it. `amountPaid` is in minor units (cents), `paidAt` is an ISO 8601
 * instant.
 */
const payment = z.object({
  status: z.string(),
  invoiceId: z.string(),
  invoiceNumber: z.string(),
  amountPaid: z.int(),
  currency: currencyCode,
  paidAt: z.nullish(z.string()),
  /**
   * The payer's email address. The address is complete if this browser started the checkout and the invoice has the
   * same email address; otherwise the address is masked: 'd•••@example.com'.
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

/** The endpoints of the page after the payment of an invoice (docs/product.md 7.1). */
export const paymentEndpoints = {
  verifySession: {
    method: 'GET',
    path: '/api/payment/session-verify',
    rights: 'public',
    request: z.object({
      sessionId,
      /** The id of the invoice. The server treats an empty id, from a URL without the id, as no id. */
      invoiceId: z.optional(z.union([invoiceId, z.literal('')])),
    }),
    response: verified,
  },
  verifyInvoice: {
    method: 'GET',
    path: '/api/payment/verify',
    rights: 'public',
    request: z.object({ invoiceId }),
    response: verified,
  },
  /** Sends the receipt to the payer. The server ignores the email address and the name in the request. */
  sendConfirmation: {
    method: 'POST',
    path: '/api/send-payment-confirmation',
    rights: 'public',
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
