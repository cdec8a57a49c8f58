import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

/**
 * The endpoint for Stripe's events. The request has no schema here, because its signature is verified over the raw
 * bytes.
 */
export const stripeWebhookEndpoint = {
  method: 'POST',
  path: '/api/stripe/webhook',
  response: z.object({ received: z.literal(true) }),
} satisfies Endpoint
