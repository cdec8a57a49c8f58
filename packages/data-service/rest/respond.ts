import type { FastifyRequest } from 'fastify'
import type { RestResponse } from './response/response.ts'
import { Refusal, costExceeded, rateLimited } from './response/refusal.ts'
import type { Relation } from './catalog/catalog.ts'
import { parseAccept } from './parse/accept.ts'
import type { Payload, Query } from './parse/ast.ts'
import { costOf } from './parse/cost.ts'
import { parsePayload } from './parse/payload.ts'
import { parsePreferences } from './parse/preferences.ts'
import { parseQuery } from './parse/query.ts'
import { withinRange } from './parse/range.ts'
import { serveCall } from './serve-call.ts'
import { serveRead } from './serve-read.ts'
import { serveWrite } from './serve-write.ts'
import { limitOf, type Session } from './serve.ts'

const mutations = { POST: 'insert', PUT: 'put', PATCH: 'update', DELETE: 'delete' } as const

/** Parses a request, resolves its names and runs its statement. Throws a `Refusal` or an error of the database. */
export async function respondTo(
  request: FastifyRequest,
  baseSession: Session,
): Promise<RestResponse> {
  refuseOtherSchemas(request)
  const preferences = parsePreferences(header(request, 'prefer'))
  const session = { ...baseSession, timezone: preferences.timezone }
  const shape = parseAccept(header(request, 'accept'))
  const { relation, function: name } = request.params as { relation?: string; function?: string }
  const { method } = request
  const reads = method === 'GET' || method === 'HEAD'
  const query = queryOf(request, name !== undefined && reads)
  if (name !== undefined) {
    if (!reads && method !== 'POST') throw wrongMethod(`Cannot use the ${method} method on RPC`)
    const payload = reads ? undefined : payloadOf(request, '{}')
    admit(session, query, request, payload)
    return serveCall(session, { name, query, payload, shape, preferences })
  }
  if (!relation) throw new Refusal(404, 'PGRST125', 'Invalid path specified in request URL')
  const table = findRelation(session, relation)
  if (reads) {
    admit(session, query, request)
    return serveRead(session, table, query, shape, preferences)
  }
  const kind = mutations[method as keyof typeof mutations]
  const payload = kind === 'delete' ? undefined : payloadOf(request, '', query.columns)
  admit(session, query, request, payload)
  return serveWrite(session, { kind, relation: table, query, payload, shape, preferences })
}

/** Refuses a request with too high a cost. The service knows the cost before it resolves any name or builds any SQL. */
function admit(session: Session, query: Query, request: FastifyRequest, payload?: Payload): void {
  const { limits, identity } = session
  const max = limitOf(limits.maxCost, identity.role)
  const cost = costOf(query, searchOf(request).length, payload)
  if (cost > max) throw costExceeded(cost, max)
  const wait = session.spend(cost)
  if (wait !== undefined) throw rateLimited(wait)
}

/** Parses the query string. The header `Range` applies to GET requests only (RFC 9110, section 14.2). */
function queryOf(request: FastifyRequest, call: boolean): Query {
  const query = parseQuery(searchOf(request), call)
  if (request.method !== 'GET') return query
  return { ...query, root: withinRange(query.root, header(request, 'range')) }
}

/** Returns the query string without its `?`. */
function searchOf({ raw: { url = '' } }: FastifyRequest): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

function payloadOf(
  request: FastifyRequest,
  whenEmpty: string,
  columns?: readonly string[],
): Payload {
  const text = typeof request.body === 'string' && request.body !== '' ? request.body : whenEmpty
  return parsePayload(text, request.headers['content-type'], columns)
}

function findRelation(session: Session, name: string): Relation {
  const relation = session.catalog.relations.get(name)
  if (relation) return relation
  throw new Refusal(
    404,
    'PGRST205',
    `Could not find the table 'public.${name}' in the schema cache`,
  )
}

function refuseOtherSchemas(request: FastifyRequest): void {
  const schema =
    request.method === 'GET' || request.method === 'HEAD'
      ? header(request, 'accept-profile')
      : header(request, 'content-profile')
  if (schema === undefined || schema === 'public') return
  throw new Refusal(406, 'PGRST106', 'The schema must be one of the following: public')
}

function wrongMethod(message: string): Refusal {
  return new Refusal(405, 'PGRST101', message)
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
