import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createCheckoutEndpoint } from '#contracts/payments/checkout.ts'
import { type Payment, paymentEndpoints } from '#contracts/payments/payments.ts'
import { networkOf } from '#server/platform/http/limits/client-address.ts'
import type { Limit } from '#server/platform/http/limits/rate-limits.ts'
import type { Config } from '#server/config.ts'
import { declareRoutes } from '#server/platform/http/declare-routes.ts'
import { sendRefusal } from '#server/platform/http/errors.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import type { StripeConnection } from './stripe.ts'
import { createCheckout } from './checkout/create-checkout.ts'
import type { PaymentContext } from './payment-context.ts'
import type { SandboxHolder } from './provider/open-sandbox.ts'
import { sendPaymentConfirmation } from './settlement/send-payment-confirmation.ts'
import { registerStripeWebhook } from './webhook/stripe-webhook.ts'
import { verifyInvoice, verifySession } from './checkout/verify-payment.ts'

export type PaymentDependencies = {
  readonly context: PaymentContext
  readonly stripeConnection: StripeConnection
  readonly isCapped: boolean
}

/**
 * Limits the requests per IP address and per network. The server makes only a few Stripe calls at the same time, so
 * many requests from one network would delay the payments of all other clients.
 */
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

/** Routes to pay an invoice, verify a payment and request a receipt (docs/product.md 7.1). */
export function registerPayments(app: FastifyInstance, dependencies: PaymentDependencies): void {
  const { context, stripeConnection } = dependencies
  const presentVerified = (payment: Payment) =>
    ({ ok: true, payment, testMode: stripeConnection.isTestMode }) as const

  serve(app, createCheckoutEndpoint).with({
    limit: checkoutLimits,
    invalid: { code: 'NOT_FOUND' },
    handle: ({ invoiceId }) => createCheckout(context, invoiceId),
    present: (checkout) => ({ ok: true, checkout }),
  })
  serve(app, paymentEndpoints.verifySession).with({
    limit: verifyLimits,
    invalid: { code: 'PAYMENT_NOT_FOUND' },
    handle: (input) => verifySession(context, input),
    present: presentVerified,
  })
  serve(app, paymentEndpoints.verifyInvoice).with({
    limit: verifyLimits,
    invalid: { code: 'PAYMENT_NOT_FOUND' },
    handle: ({ invoiceId }) => verifyInvoice(context, invoiceId),
    present: presentVerified,
  })
  serve(app, paymentEndpoints.sendConfirmation).with({
    limit: confirmationLimits,
    invalid: { code: 'BAD_REQUEST' },
    handle: ({ invoiceId }) => sendPaymentConfirmation(context, invoiceId),
    present: ({ emailId }) => ({ ok: true, emailId, message: confirmationMessage }),
  })
  registerStripeWebhook(app, dependencies)
}

const confirmationMessage = 'The confirmation email with the receipt and the invoice is on its way.'

type SandboxPages = {
  readonly config: Pick<Config, 'payments'>
  readonly sandbox: SandboxHolder
  readonly stripeConnection: StripeConnection
}

/**
 * Serves the payment pages of the payment sandbox, which replace Stripe's pages. After the shop connected a Stripe
 * account, the pages are still shown but accept no payment.
 */
export function registerSandboxPages(
  scope: FastifyInstance,
  { config: { payments }, sandbox, stripeConnection }: SandboxPages,
): void {
  const canChooseSandbox =
    payments.mode === 'sandbox' ||
    (payments.mode === 'dashboard' && payments.otherwise === 'sandbox')
  if (!canChooseSandbox) return
  declareRoutes(scope, { rights: 'link' })
  scope.addHook('preHandler', async (request, reply) => {
    if (request.method === 'GET' || stripeConnection.mode === 'sandbox') return undefined
    return sendRefusal(reply, 'NOT_PAYABLE')
  })
  sandbox.registerPages(scope)
}
