import type { FastifyInstance } from 'fastify'

/** What supabase-js and the site's forms send; a browser sends nothing else from a page elsewhere. */
const requestHeaders = [
  'accept-profile',
  'apikey',
  'authorization',
  'content-profile',
  'content-type',
  'prefer',
  'range',
  'x-client-info',
  'x-form-token',
  'x-form-website',
  'x-retry-count',
  'x-supabase-api-version',
].join(', ')

/**
 * Lets pages of the shop's own origin call the routes of `scope`, and no others: any other site could
 * spend its visitors' addresses here. Scripts send no `Origin` and are not concerned.
 */
export function allowOwnOrigin(
  scope: FastifyInstance,
  publicUrl: string,
  { methods, exposed }: { readonly methods: string; readonly exposed?: string },
): void {
  const corsHeaders = {
    'access-control-allow-origin': new URL(publicUrl).origin,
    ...(exposed === undefined ? {} : { 'access-control-expose-headers': exposed }),
  }
  const preflight = {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': requestHeaders,
    'access-control-max-age': '86400',
  }
  scope.addHook('onRequest', async (_request, reply) => {
    reply.headers(corsHeaders)
  })
  scope.options('/*', (request, reply) => {
    // Only browsers ask, and say what for.
    if (request.headers['access-control-request-method'] === undefined) return reply.callNotFound()
    return reply.code(204).headers(preflight).send()
  })
}
