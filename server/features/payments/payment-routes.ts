import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import {
  createCheckoutRequest,
  type Payment,
  sendConfirmationRequest,
  verifyInvoiceQuery,
  verifySessionQuery,
} from '#contracts/payments.ts'
import type { Result } from '#domain/result.ts'
import { networkOf } from '#server/platform/http/client-address.ts'
import { sendRefusal } from '#server/platform/http/errors.ts'
import type { Limit, RateLimits } from '#server/platform/http/rate-limits.ts'
import type { ProcessorRefusal } from './ask-processor.ts'
import type { StripeConnection } from './stripe.ts'
import { createCheckout } from './create-checkout.ts'
import type { PaymentContext } from './payment-context.ts'
import { sendPaymentConfirmation } from './send-payment-confirmation.ts'
import { registerStripeWebhook } from './stripe-webhook.ts'
import { verifyInvoice, verifySession } from './verify-payment.ts'

export type PaymentDependencies = {
  readonly context: PaymentContext
  readonly processor: StripeConnection
  readonly limits: RateLimits
}

/** Each asks the processor, of which few at a time may: no network keeps all the others waiting. */
function limitsOf(name: string, max: number): Limit[] {
  const subject = ({ ip }: FastifyRequest) => networkOf(ip, { ipv4: 24, ipv6: 48 })
  return [
    { name, max, windowSeconds: 300 },
    { name: `${name} network`, max: max * 4, windowSeconds: 300, subject },
  ]
}

const checkoutLimits = limitsOf('create-checkout', 20)
const verifyLimits = limitsOf('payment-verify', 60)
const confirmationLimits = limitsOf('payment-confirmation', 20)

/** Paying an invoice and what follows it (docs/product.md 7.1). */
export function registerPayments(app: FastifyInstance, dependencies: PaymentDependencies): void {
  const { limits } = dependencies
  app.post(
    '/api/create-checkout',
    { preHandler: limits.limit(...checkoutLimits) },
    (request, reply) => answerCheckout(dependencies, request, reply),
  )
  app.get(
    '/api/payment/session-verify',
    { preHandler: limits.limit(...verifyLimits) },
    async (request, reply) => {
      const asked = z.safeParse(verifySessionQuery, request.query)
      if (!asked.success) return sendRefusal(reply, 'PAYMENT_NOT_FOUND')
      return answerVerified(
        dependencies,
        reply,
        await verifySession(dependencies.context, asked.data),
      )
    },
  )
  app.get(
    '/api/payment/verify',
    { preHandler: limits.limit(...verifyLimits) },
    async (request, reply) => {
      const asked = z.safeParse(verifyInvoiceQuery, request.query)
      if (!asked.success) return sendRefusal(reply, 'PAYMENT_NOT_FOUND')
      const verified = await verifyInvoice(dependencies.context, asked.data.invoiceId)
      return answerVerified(dependencies, reply, verified)
    },
  )
  app.post(
    '/api/send-payment-confirmation',
    { preHandler: limits.limit(...confirmationLimits) },
    (request, reply) => answerConfirmation(dependencies, request, reply),
  )
  registerStripeWebhook(app, dependencies)
}

async function answerCheckout(
  { context }: PaymentDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = z.safeParse(createCheckoutRequest, request.body)
  if (!body.success) return sendRefusal(reply, 'NOT_FOUND')
  const opened = await createCheckout(context, body.data.invoiceId)
  if (!opened.ok) return refuse(reply, opened.refusal)
  return reply.header('cache-control', 'no-store').send({ ok: true, checkout: opened.value })
}

function answerVerified(
  { processor }: PaymentDependencies,
  reply: FastifyReply,
  verified: Result<Payment, ProcessorRefusal>,
): FastifyReply {
  if (!verified.ok) return refuse(reply, verified.refusal)
  return reply
    .header('cache-control', 'no-store')
    .send({ ok: true, payment: verified.value, testMode: processor.isTestMode })
}

async function answerConfirmation(
  { context }: PaymentDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = z.safeParse(sendConfirmationRequest, request.body)
  if (!body.success) return sendRefusal(reply, 'BAD_REQUEST')
  const sent = await sendPaymentConfirmation(context, body.data.invoiceId)
  if (!sent.ok) return refuse(reply, sent.refusal)
  const message = 'The confirmation with receipt and invoice is on its way.'
  return reply.send({ ok: true, emailId: sent.value.emailId, message })
}

function refuse(reply: FastifyReply, { code, logged }: ProcessorRefusal): FastifyReply {
  if (logged) reply.log.warn({ ...logged, code }, 'payment call refused')
  return sendRefusal(reply.header('cache-control', 'no-store'), code)
}
