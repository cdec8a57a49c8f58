import { AsyncLocalStorage } from 'node:async_hooks'
import Stripe from 'stripe'
import { clientOptions, isTestKey, type StripeConnection } from '../stripe.ts'
import type { PaymentProvider } from './payment-provider.ts'

/** The connection to the payment provider, which may change while the process runs. */
export type ProviderConnection = {
  readonly connection: StripeConnection
  /**
   * Runs `work`. All Stripe calls of `work` use the provider that was current when `work` began, even if the
   * provider changes in the meantime.
   */
  readonly keepProvider: <Value>(work: () => Value) => Value
}

/**
 * Creates one SDK client. For each call, the client uses the provider that `currentProvider` returns at that moment.
 */
export function connectProvider(currentProvider: () => PaymentProvider): ProviderConnection {
  const begun = new AsyncLocalStorage<PaymentProvider>()
  const provider = () => begun.getStore() ?? currentProvider()
  const client = new Stripe('sk_of_the_provider', {
    ...clientOptions,
    httpClient: {
      getClientName: () => 'payment provider',
      makeRequest(host, port, path, method, headers, ...rest) {
        const { http, secretKey } = provider()
        const signed = { ...headers, Authorization: `Bearer ${secretKey}` }
        return http.makeRequest(host, port, path, method, signed, ...rest)
      },
    },
  })
  const connection: StripeConnection = {
    client,
    get mode() {
      return provider().mode
    },
    get webhookSecret() {
      return provider().webhookSecret
    },
    get isTestMode() {
      return isTestKey(provider().secretKey)
    },
    get sendsEmail() {
      return provider().mode === 'stripe' && !isTestKey(provider().secretKey)
    },
  }
  return { connection, keepProvider: (work) => begun.run(currentProvider(), work) }
}
