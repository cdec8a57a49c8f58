import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { invoiceId } from '#contracts/invoices/invoice-id.ts'

/**
 * Creates a checkout for an invoice (docs/product.md 7.1). This endpoint has its own file, so that the pages that
 * create a checkout do not load the endpoints of the page after the payment.
 */
export const createCheckoutEndpoint = {
  method: 'POST',
  path: '/api/create-checkout',
  rights: 'public',
  request: z.object({ invoiceId }),
  response: z.object({
    ok: z.literal(true),
    /** The URL of the payment page, to which the browser navigates. */
    checkout: z.object({ url: z.string() }),
  }),
} satisfies Endpoint
