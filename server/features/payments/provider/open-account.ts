import Stripe from 'stripe'
import { clientOptions } from '../stripe.ts'
import { stripeProvider } from './payment-provider.ts'

/**
 * The timeout of a call to Stripe in milliseconds. An owner waits for the response, and the browser aborts the request
 * after half a minute.
 */
const timeoutMs = 8_000

/**
 * Returns an SDK client for a secret key that an owner enters or removes. In tests, `stripeFetch` replaces Stripe's
 * servers.
 */
export function openAccount(secretKey: string, stripeFetch?: typeof fetch): Stripe {
  const { http } = stripeProvider({ secretKey, webhookSecret: undefined }, stripeFetch)
  const options = { ...clientOptions, maxNetworkRetries: 0, timeout: timeoutMs }
  return new Stripe(secretKey, { ...options, httpClient: http })
}
