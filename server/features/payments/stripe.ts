import Stripe from 'stripe'

export type { Stripe }

/** The payment processor as the features use it: Stripe, or the sandbox behind the same SDK. */
export type StripeConnection = {
  readonly client: Stripe
  /** What the processor signs its events with. */
  readonly webhookSecret: string
  /** No money moves: pages say so. */
  readonly isTestMode: boolean
  /** Whether the processor mails invoices itself; its test mode and the sandbox mail nothing. */
  readonly sendsEmail: boolean
}

type Account =
  | { readonly secretKey: string; readonly webhookSecret: string }
  /** `fetch` answers in place of Stripe's servers. */
  | { readonly fetch: typeof fetch; readonly webhookSecret: string }

/** Connects the official SDK. Its retries carry idempotency keys, so that a repeated call acts once. */
export function connectStripe(account: Account): StripeConnection {
  const isSandbox = 'fetch' in account
  const secretKey = isSandbox ? 'sk_test_sandbox' : account.secretKey
  const client = new Stripe(secretKey, {
    telemetry: false,
    maxNetworkRetries: 2,
    timeout: 20_000,
    ...(isSandbox ? { httpClient: Stripe.createFetchHttpClient(account.fetch) } : {}),
  })
  const isTestMode = /^(sk|rk)_test_/.test(secretKey)
  return { client, webhookSecret: account.webhookSecret, isTestMode, sendsEmail: !isTestMode }
}

/** Why the processor refused or could not be asked, as far as the features tell cases apart. */
export type StripeFailure = 'missing' | 'unauthorized' | 'refused' | 'unavailable'

/** Sorts what the SDK throws. Undefined for everything else: that is a bug of ours and must travel on. */
export function stripeFailure(error: unknown): StripeFailure | undefined {
  if (!(error instanceof Stripe.errors.StripeError)) return undefined
  if (error.code === 'resource_missing') return 'missing'
  if (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError
  ) {
    return 'unauthorized'
  }
  return error instanceof Stripe.errors.StripeInvalidRequestError ? 'refused' : 'unavailable'
}

/** What may be logged of a processor's error: never its message, which can quote what was sent. */
export function describeStripeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Stripe.errors.StripeError)) {
    return { name: error instanceof Error ? error.name : typeof error }
  }
  const { type, code, param, statusCode, requestId } = error
  return { type, code, param, statusCode, requestId }
}

/** How a failure is logged that may be the processor's or ours: ours with its stack, as every bug. */
export function failureFields(error: unknown): Record<string, unknown> {
  return error instanceof Stripe.errors.StripeError
    ? { stripe: describeStripeError(error) }
    : { err: error }
}

/** The id of what may have been expanded; '' for nothing. */
export function idOf(reference: string | { readonly id: string } | null): string {
  return typeof reference === 'string' ? reference : (reference?.id ?? '')
}
