/**
 * The routes that the flood limit (docs/product.md 10.1) does not count, each with its reason. A route refers to its
 * entry.
 */
const uncountedRoutes = {
  'static file':
    'A page loads two dozen of them. They are sent from memory, without a database query.',
  'health check':
    'A proxy requests it every second. The response is in memory and at most a second old.',
  'stripe webhook':
    'Stripe delivers for all customers from a few addresses. This route has a limit of its own, which tells Stripe to try later.',
} as const

export type Uncounted = keyof typeof uncountedRoutes
