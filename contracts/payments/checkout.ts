import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { invoiceId } from '#contracts/invoices/invoice-id.ts'

/** Paying an invoice (docs/product.md 7.1); apart from what follows it, which is called from another page. */
export const createCheckoutEndpoint = {
  method: 'POST',
  path: '/api/create-checkout',
  request: z.object({ invoiceId }),
  response: z.object({
    ok: z.literal(true),
    /** Where the card is entered: the browser goes there. */
    checkout: z.object({ url: z.string() }),
  }),
} satisfies Endpoint
