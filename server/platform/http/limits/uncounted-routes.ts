/**
 * The routes that the flood limit (docs/product.md 10.1) does not count, each with its reason. The declaration of a
 * route names its entry.
 */
const uncountedRoutes = {
  'static file':
    'A page loads about two dozen static files. They are sent from memory, without a database query.',
  'health check':
    'A reverse proxy requests the health check every second. The response is kept in memory and is at most a second old.',
  'stripe webhook':
    'Stripe sends the webhooks of all its customers from a few addresses. This route has a limit of its own, which makes Stripe retry later.',
} as const

export type Uncounted = keyof typeof uncountedRoutes
