/**
 * The routes that the flood limit (docs/product.md 10.1) does not count, each with its reason. A route refers to its
 * entry.
 */
const uncountedRoutes = {
  'static file':
    'One page loads two dozen of them. They are sent from memory and ask nothing of the database.',
  'health check':
    'A proxy asks each second, often for many. The answer is in memory, and at most a second old.',
  'stripe webhook':
    'Stripe delivers for all customers from a few addresses. It has a bound of its own, which tells Stripe to try later.',
} as const

export type Uncounted = keyof typeof uncountedRoutes
