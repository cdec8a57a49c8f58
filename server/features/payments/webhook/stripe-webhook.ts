import type { FastifyInstance, FastifyRequest } from 'fastify'
import { stripeWebhookEndpoint } from '#contracts/payments/stripe-webhook.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { QueueFullError } from '#server/platform/queue/work-queue.ts'
import { createAddressBuckets } from '#server/platform/http/limits/request-buckets.ts'
import { type Refusal, serve } from '#server/platform/http/serve-endpoint.ts'
import { failureFields, type Stripe, type StripeConnection } from '../stripe.ts'
import { handleStripeEvent } from './handle-stripe-event.ts'
import type { PaymentContext } from '../payment-context.ts'

/** The maximum difference in seconds between the time stamp of an event and the server's clock, in either direction. */
const toleranceSeconds = 300

/**
 * The maximum number of deliveries per minute from one IP address. Stripe sends fewer deliveries to a shop of this size
 * (docs/product.md 10.1).
 */
const deliveriesPerMinute = 300

type Dependencies = {
  readonly context: PaymentContext
  readonly stripeConnection: StripeConnection
  /** Whether the number of webhook deliveries per minute is limited. */
  readonly isCapped: boolean
}

/**
 * Handles Stripe's webhook events. Returns 400 for an event that Stripe did not sign, and 200 for a handled or
 * irrelevant event. Returns 500 for an event that could not be handled, and 503 under load, so that Stripe delivers
 * the event again.
 */
export function registerStripeWebhook(app: FastifyInstance, dependencies: Dependencies): void {
  const deliveries = createAddressBuckets(deliveriesPerMinute, dependencies.context.now)
  // The route has a separate Fastify scope without body parsers, because the signature covers the unparsed bytes of
  // the body.
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: 1024 * 1024 },
      (_request, body, parsed) => {
        parsed(null, body)
      },
    )
    serve(scope, stripeWebhookEndpoint).with({
      uncounted: 'stripe webhook',
      limit: 'in handler',
      handle: async (_bytes, { request, reply }) => {
        const wait = dependencies.isCapped ? deliveries.consume(request.ip) : undefined
        if (wait === undefined) return claimEvent(dependencies, request)
        // A refused delivery gets the status 503 instead of 429, so that Stripe delivers the event again later.
        void reply.header('retry-after', String(wait))
        return refused({ code: 'BUSY' })
      },
      present: () => ({ received: true }),
    })
    done()
  })
}

async function claimEvent(
  { context, stripeConnection }: Dependencies,
  request: FastifyRequest,
): Promise<Result<undefined, Refusal>> {
  const event = readEvent(stripeConnection, request, context.now())
  if (!event) return refused({ code: 'BAD_SIGNATURE' })
  try {
    await handleStripeEvent(context, event)
  } catch (error) {
    if (error instanceof QueueFullError) throw error
    request.log.error(
      { eventId: event.id, eventType: event.type, ...failureFields(error) },
      'a Stripe event could not be handled',
    )
    return refused({ code: 'INTERNAL_ERROR' })
  }
  return accepted(undefined)
}

/** Verifies that Stripe signed exactly the received bytes within the permitted time, and returns the event. */
function readEvent(
  { client, webhookSecret }: StripeConnection,
  request: FastifyRequest,
  now: number,
): Stripe.Event | undefined {
  const signature = request.headers['stripe-signature']
  const { body } = request
  if (typeof signature !== 'string' || !Buffer.isBuffer(body) || !webhookSecret) return undefined
  // The SDK refuses time stamps that are too old, but does not refuse time stamps in the future.
  const stamp = Number(/(?:^|,)\s*t=(\d{1,12})(?:,|$)/.exec(signature)?.[1] ?? Number.NaN)
  if (!(stamp - now / 1000 <= toleranceSeconds)) return undefined
  try {
    return client.webhooks.constructEvent(
      body,
      signature,
      webhookSecret,
      toleranceSeconds,
      undefined,
      now,
    )
  } catch {
    return undefined
  }
}
