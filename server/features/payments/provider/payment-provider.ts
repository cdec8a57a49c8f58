import Stripe from 'stripe'
import { notSetUpCode, type PaymentMode } from '../stripe.ts'

export type StripeHttpClient = InstanceType<typeof Stripe.HttpClient>

/**
 * The server to which the Stripe SDK sends its calls, and the secret that verifies the webhook events of this
 * server.
 */
export type PaymentProvider = {
  readonly mode: PaymentMode
  readonly secretKey: string
  /**
   * The secret that verifies webhook events. Undefined for an account without a webhook endpoint; the site then
   * accepts no events.
   */
  readonly webhookSecret: string | undefined
  readonly http: StripeHttpClient
}

/**
 * Creates the provider for a Stripe account. In tests, `stripeFetch` replaces the function that sends requests to
 * Stripe.
 */
export function stripeProvider(
  account: { readonly secretKey: string; readonly webhookSecret: string | undefined },
  stripeFetch?: typeof fetch,
): PaymentProvider {
  const { secretKey, webhookSecret } = account
  const http = stripeFetch
    ? Stripe.createFetchHttpClient(stripeFetch)
    : Stripe.createNodeHttpClient()
  return { mode: 'stripe', secretKey, webhookSecret, http }
}

export function sandboxProvider(
  sandboxFetch: typeof fetch,
  webhookSecret: string,
): PaymentProvider {
  const http = Stripe.createFetchHttpClient(sandboxFetch)
  return { mode: 'sandbox', secretKey: 'sk_test_sandbox', webhookSecret, http }
}

/**
 * The provider of a shop that has not set up payments. Every call gets an error response that the SDK does not
 * retry.
 */
export const noProvider: PaymentProvider = {
  mode: 'not_set_up',
  secretKey: 'sk_not_set_up',
  webhookSecret: undefined,
  http: Stripe.createFetchHttpClient(async () =>
    Response.json(
      { error: { type: 'invalid_request_error', code: notSetUpCode, message: 'Not set up.' } },
      { status: 400 },
    ),
  ),
}
