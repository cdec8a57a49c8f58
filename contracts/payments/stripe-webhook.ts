import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

/**
 * Receives Stripe's events. The endpoint has no request schema, because the server verifies the signature over the
 * raw bytes of the request.
 */
export const stripeWebhookEndpoint = {
  method: 'POST',
  path: '/api/stripe/webhook',
  rights: 'signature',
  response: z.object({ received: z.literal(true) }),
} satisfies Endpoint
