import Stripe from 'stripe'

export type { Stripe }

/**
 * The service that charges cards: Stripe, the payment sandbox (simulates Stripe), or none if payments are not set up.
 */
export type PaymentMode = 'stripe' | 'sandbox' | 'not_set_up'

/** A connection to Stripe, or to the payment sandbox (the simulated Stripe), through the Stripe SDK. */
export type StripeConnection = {
  readonly client: Stripe
  readonly mode: PaymentMode
  /** The secret with which Stripe signs its events; undefined for an account without a webhook endpoint. */
  readonly webhookSecret: string | undefined
  /** Whether Stripe is in test mode, in which no money moves. The payment pages then show a notice. */
  readonly isTestMode: boolean
  /** Whether Stripe itself emails the invoices. Stripe's test mode and the sandbox send no emails. */
  readonly sendsEmail: boolean
}

type Account =
  | { readonly secretKey: string; readonly webhookSecret: string }
  /** The sandbox: `fetch` handles the requests that would otherwise go to Stripe's servers. */
  | { readonly fetch: typeof fetch; readonly webhookSecret: string }

/**
 * Creates a client of Stripe's official SDK. The SDK retries failed calls with the same idempotency key, so that a
 * repeated call has its effect only once.
 */
export function connectStripe(account: Account): StripeConnection {
  const isSandbox = 'fetch' in account
  const secretKey = isSandbox ? 'sk_test_sandbox' : account.secretKey
  const client = new Stripe(secretKey, {
    ...clientOptions,
    ...(isSandbox ? { httpClient: Stripe.createFetchHttpClient(account.fetch) } : {}),
  })
  const isTestMode = isTestKey(secretKey)
  const mode = isSandbox ? 'sandbox' : 'stripe'
  const { webhookSecret } = account
  return { client, mode, webhookSecret, isTestMode, sendsEmail: !isTestMode }
}

export const clientOptions = {
  telemetry: false,
  maxNetworkRetries: 2,
  timeout: 20_000,
} as const

export const isTestKey = (secretKey: string): boolean => /^(sk|rk)_test_/.test(secretKey)

/** The error code of every Stripe call while payments are not set up (provider/payment-provider.ts). */
export const notSetUpCode = 'payments_not_set_up'

/** The kinds of Stripe failures that the features distinguish. */
export type StripeFailure = 'missing' | 'unauthorized' | 'refused' | 'unavailable' | 'not_set_up'

/** Classifies an error of the SDK; undefined for every other error, which is a bug and must be thrown. */
export function stripeFailure(error: unknown): StripeFailure | undefined {
  if (!(error instanceof Stripe.errors.StripeError)) return undefined
  if (error.code === 'resource_missing') return 'missing'
  if (error.code === notSetUpCode) return 'not_set_up'
  if (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError
  ) {
    return 'unauthorized'
  }
  return error instanceof Stripe.errors.StripeInvalidRequestError ? 'refused' : 'unavailable'
}

/**
 * The part of a Stripe error that may be logged. The message is excluded, because the message can quote customer data
 * from the request.
 */
export function describeStripeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Stripe.errors.StripeError)) {
    return { name: error instanceof Error ? error.name : typeof error }
  }
  const { type, code, param, statusCode, requestId } = error
  return { type, code, param, statusCode, requestId }
}

/** The log fields of an error: a Stripe error without its message, every other error with its stack. */
export function failureFields(error: unknown): Record<string, unknown> {
  return error instanceof Stripe.errors.StripeError
    ? { stripe: describeStripeError(error) }
    : { err: error }
}

/** Returns the id of an object that Stripe returned either as an id or in full; '' for null. */
export function idOf(reference: string | { readonly id: string } | null): string {
  return typeof reference === 'string' ? reference : (reference?.id ?? '')
}
