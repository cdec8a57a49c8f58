import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

/** Where the processor tells of what happened; it is sent bytes whose signature counts, so no request is named. */
export const stripeWebhookEndpoint = {
  method: 'POST',
  path: '/api/stripe/webhook',
  response: z.object({ received: z.literal(true) }),
} satisfies Endpoint
