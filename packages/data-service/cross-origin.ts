import type { FastifyInstance } from 'fastify'

/** The request headers of supabase-js. */
const clientHeaders = [
  'accept-profile',
  'apikey',
  'authorization',
  'content-profile',
  'content-type',
  'prefer',
  'range',
  'x-client-info',
  'x-retry-count',
  'x-supabase-api-version',
]

type CrossOriginOptions = {
  readonly methods: string
  /** The response headers that pages may read. */
  readonly exposed?: string
  /** Request headers that pages may send beside those of supabase-js. */
  readonly allowedHeaders?: readonly string[] | undefined
}

/**
 * Sends the CORS headers that allow pages of the site's own origin to call the routes of `scope`. Browsers keep pages of
 * other sites from calling them, so that those pages cannot use up the rate limits of their visitors' addresses. Programs
 * other than browsers ignore CORS.
 */
export function allowOwnOrigin(
  scope: FastifyInstance,
  publicUrl: string,
  { methods, exposed, allowedHeaders = [] }: CrossOriginOptions,
): void {
  const corsHeaders = {
    'access-control-allow-origin': new URL(publicUrl).origin,
    ...(exposed === undefined ? {} : { 'access-control-expose-headers': exposed }),
  }
  const preflight = {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': [...clientHeaders, ...allowedHeaders].toSorted().join(', '),
    'access-control-max-age': '86400',
  }
  scope.addHook('onRequest', async (_request, reply) => {
    reply.headers(corsHeaders)
  })
  scope.options('/*', (request, reply) => {
    // Without this header the request is no preflight request of a browser.
    if (request.headers['access-control-request-method'] === undefined) return reply.callNotFound()
    return reply.code(204).headers(preflight).send()
  })
}
