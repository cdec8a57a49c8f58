import type { FastifyInstance } from 'fastify'

/** The request headers that supabase-js sends. */
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
  /** Request headers that pages may send in addition to those of supabase-js. */
  readonly allowedHeaders?: readonly string[] | undefined
}

/**
 * Sends the CORS headers that allow pages of the site's own origin to call the routes of `scope`. Browsers refuse
 * such calls by pages of other sites, so these pages cannot use up the rate limits of their visitors' IP
 * addresses. Programs other than browsers ignore CORS.
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
    // An OPTIONS request without the header `Access-Control-Request-Method` is not a browser's preflight request.
    if (request.headers['access-control-request-method'] === undefined) return reply.callNotFound()
    return reply.code(204).headers(preflight).send()
  })
}
