/**
 * The kinds of routes whose requests the flood limit (docs/product.md 10.1) does not count, each with the reason. The
 * `config` of a route names its kind.
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
