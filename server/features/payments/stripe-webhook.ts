import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendRefusal } from '#server/platform/http/errors.ts'
import { TooBusy } from '#server/platform/work/lane.ts'
import type { RateLimits } from '#server/platform/http/rate-limits.ts'
import { failureFields, type Stripe, type StripeConnection } from './stripe.ts'
import { handleStripeEvent } from './handle-stripe-event.ts'
import type { PaymentContext } from './payment-context.ts'

/** How far an event's time stamp may be from our clock, either way. */
const toleranceSeconds = 300

/** More than the processor sends a shop of this size, less than what would keep others from us. */
const webhookLimit = { name: 'stripe-webhook', max: 1200, windowSeconds: 60 }

type Dependencies = {
  readonly context: PaymentContext
  readonly processor: StripeConnection
  readonly limits: RateLimits
}

/**
 * POST /api/stripe/webhook: 400 for what the processor did not sign, 200 for what is handled or none of
 * our business, 500 (503 in a rush) when we could not handle it, so that the processor sends it again.
 */
export function registerStripeWebhook(app: FastifyInstance, dependencies: Dependencies): void {
  // A scope of its own: the signature is over the bytes, so nothing may parse them first.
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: 1024 * 1024 },
      (_request, body, parsed) => {
        parsed(null, body)
      },
    )
    scope.post(
      '/api/stripe/webhook',
      { preHandler: dependencies.limits.limit(webhookLimit) },
      (request, reply) => answerWebhook(dependencies, request, reply),
    )
    done()
  })
}

async function answerWebhook(
  { context, processor }: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const event = readEvent(processor, request, context.now())
  if (!event) return sendRefusal(reply, 'BAD_SIGNATURE')
  try {
    await handleStripeEvent(context, event)
  } catch (error) {
    if (error instanceof TooBusy) throw error
    request.log.error(
      { eventId: event.id, eventType: event.type, ...failureFields(error) },
      'event not handled',
    )
    return sendRefusal(reply, 'INTERNAL_ERROR')
  }
  return reply.send({ received: true })
}

/** The event, if the processor signed exactly these bytes just now. */
function readEvent(
  { client, webhookSecret }: StripeConnection,
  request: FastifyRequest,
  now: number,
): Stripe.Event | undefined {
  const signature = request.headers['stripe-signature']
  const { body } = request
  if (typeof signature !== 'string' || !Buffer.isBuffer(body)) return undefined
  // The SDK refuses time stamps that are too old, not those from the future.
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
