import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseError } from 'pg'
import { type Database, type Identity, outageOf } from '@local/postgres'
import { allowOwnOrigin } from '../cross-origin.ts'
import type { RestResponse } from './response/response.ts'
import { refusalOf, unavailable } from './response/postgres-error.ts'
import { Refusal } from './response/refusal.ts'
import type { Authenticate } from './caller.ts'
import { watchCatalog, type LiveCatalog } from './catalog/live-catalog.ts'
import { respondTo } from './respond.ts'
import { hostedLimits, type RestLimits } from './serve.ts'

type RestDependencies = {
  readonly database: Database
  readonly authenticate: Authenticate
  /** The origin of the site, whose pages may call the service. */
  readonly publicUrl: string
  /** Request headers that pages may send in addition to those of supabase-js. */
  readonly allowedHeaders?: readonly string[]
  /** The limits of the service; by default the limits of a hosted Supabase project. */
  readonly limits?: RestLimits
  /**
   * Subtracts tokens from a visitor's allowance of requests. Returns the seconds to wait when the allowance has too few
   * tokens, otherwise undefined.
   */
  readonly spend?: (request: FastifyRequest, tokens: number) => number | undefined
}

/** The cost for which `spend` subtracts one token, in the units of `parse/cost.ts`. */
const costOfOneRequest = 10

const maxBodyBytes = 1024 * 1024
/**
 * The maximum length of the body of a visitor's request, in characters. Parsing a megabyte of JSON blocks all other
 * requests. The bodies that web forms send are shorter than a tenth of this maximum.
 */
const maxVisitorBody = 128 * 1024
const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const exposed = 'Content-Range, Content-Location, Location, Preference-Applied'

/** Serves `/rest/v1`: the schema `public` in the dialect of PostgREST 12. Each request acts as its caller's identity. */
export function registerRest(app: FastifyInstance, dependencies: RestDependencies): void {
  const catalog = watchCatalog(dependencies.database.pool)
  app.register(
    async (scope) => {
      const { publicUrl, allowedHeaders } = dependencies
      allowOwnOrigin(scope, publicUrl, { methods, exposed, allowedHeaders })
      scope.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'no-store')
      })
      acceptAnyBody(scope, dependencies.authenticate)
      registerErrorHandler(scope)
      scope.addHook('onClose', () => catalog.close())
      const handle = handlerOf(dependencies, catalog)
      const bodyLimit = maxBodyBytes
      const onEverything = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT']
      scope.route({ method: onEverything, url: '/rpc/:function', bodyLimit, handler: handle })
      scope.route({ method: onEverything, url: '/:relation', bodyLimit, handler: handle })
    },
    { prefix: '/rest/v1' },
  )
}

function handlerOf(dependencies: RestDependencies, catalog: LiveCatalog) {
  const { database, authenticate, limits = hostedLimits } = dependencies
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = await authenticate(request)
    if (!caller.ok) return send(reply, refused(caller))
    const { identity } = caller
    const attempt = async () =>
      respondTo(request, {
        database,
        identity,
        catalog: await catalog.current(),
        limits,
        spend: (cost) => spend(dependencies, request, identity, cost),
      })
    try {
      return await send(reply, await withCurrentCatalog(attempt, catalog))
    } catch (error) {
      const outage = outageOf(error, request.method === 'GET' || request.method === 'HEAD')
      if (outage) {
        if (outage === 'failing') request.log.error({ err: error }, 'request failed')
        return send(reply, refused(unavailable(outage, error)))
      }
      const refusal = refusalOf(error, identity.role === 'anon')
      if (refusal.status >= 500) request.log.error({ err: error }, 'request failed')
      return send(reply, refused(refusal))
    }
  }
}

function spend(
  dependencies: RestDependencies,
  request: FastifyRequest,
  identity: Identity,
  cost: number,
): number | undefined {
  const tokens = Math.floor(cost / costOfOneRequest)
  return identity.role === 'anon' && tokens > 0 ? dependencies.spend?.(request, tokens) : undefined
}

// The codes of errors that an outdated catalog can cause: the catalog lacks a new name, or contains a name that no
// longer exists in the database. The code 42501 also counts if the catalog lacks a privilege that may be new. The code
// does not count if PostgreSQL itself denied the privilege (a DatabaseError).
const staleCodes = new Set([
  'PGRST200',
  'PGRST202',
  'PGRST204',
  'PGRST205',
  '42703',
  '42P01',
  '42883',
])
const deniedByCatalog = '42501'

/**
 * If a change of the database can explain the failure of a request, reads the catalog again and serves the request a
 * second time.
 */
async function withCurrentCatalog(
  attempt: () => Promise<RestResponse>,
  catalog: LiveCatalog,
): Promise<RestResponse> {
  try {
    return await attempt()
  } catch (error) {
    if (!mayBeStale(error) || !(await catalog.refresh())) throw error
    return attempt()
  }
}

function mayBeStale(error: unknown): boolean {
  const code = codeOf(error)
  return staleCodes.has(code) || (code === deniedByCatalog && error instanceof Refusal)
}

function codeOf(error: unknown): string {
  if (error instanceof Refusal) return error.body.code
  return error instanceof DatabaseError ? (error.code ?? '') : ''
}

function refused(refusal: Pick<Refusal, 'status' | 'body'> & { headers?: object }): RestResponse {
  return {
    status: refusal.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...refusal.headers },
    body: JSON.stringify(refusal.body),
  }
}

function send(reply: FastifyReply, { status, headers, body }: RestResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}

/** Keeps every body as text. The database parses the rows, so that numbers keep all their digits. */
function acceptAnyBody(scope: FastifyInstance, authenticate: Authenticate): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (request: FastifyRequest, body: string) => {
      if (body.length > maxVisitorBody && !(await isSignedIn(request, authenticate))) {
        throw Object.assign(new Error('Request body is too large'), { statusCode: 413 })
      }
      return body
    },
  )
}

async function isSignedIn(request: FastifyRequest, authenticate: Authenticate): Promise<boolean> {
  const caller = await authenticate(request)
  return caller.ok && caller.identity.role !== 'anon'
}

function registerErrorHandler(scope: FastifyInstance): void {
  scope.setErrorHandler<FastifyError>((error, request, reply) => {
    const status = error.statusCode ?? 500
    if (status < 500) return send(reply, refused(new Refusal(status, 'PGRST102', error.message)))
    request.log.error({ err: error }, 'request failed')
    return send(reply, refused(new Refusal(500, 'PGRST000', 'Something went wrong on our side.')))
  })
  scope.setNotFoundHandler((_request, reply) =>
    send(reply, refused(new Refusal(404, 'PGRST125', 'Invalid path specified in request URL'))),
  )
}
