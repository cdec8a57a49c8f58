import Stripe from 'stripe'
import type { Query } from '@local/postgres'
import { newId } from '../objects/new-id.ts'
import { present } from '../objects/present.ts'
import type { StoredObject } from '../objects/wire.ts'
import { ApiError, invalidRequest } from './api-error.ts'
import { type CallOptions, openCall, type Transaction } from './call.ts'
import { expandResponse, parseExpand } from './expand.ts'
import { parseForm } from './form.ts'
import { claimKey, type Reply, storeReply } from './idempotency.ts'
import { matchPath, type ResponseBody, type Route } from './route.ts'

export type ApiDependencies = CallOptions & {
  readonly transaction: Transaction
  readonly routes: readonly Route[]
  /** The handler passes unexpected errors to this function, and the client gets a response with status 500. */
  readonly report: (error: unknown) => void
}
type Prepared = {
  readonly work: ReturnType<Route['prepare']>
  readonly expand: string[]
  readonly requestId: string
  readonly idempotency: { key: string; endpoint: string; body: string } | undefined
}

/**
 * Handles one API request: authenticates it, parses it, runs it in one transaction and converts the result to the
 * response.
 */
export async function handleRequest(
  request: Request,
  dependencies: ApiDependencies,
): Promise<Response> {
  const requestId = newId('req', 14)
  const headers = {
    'content-type': 'application/json',
    'request-id': requestId,
    'stripe-version': Stripe.API_VERSION,
  }
  try {
    authenticate(request)
    const prepared = prepare(request, await readBody(request), dependencies.routes, requestId)
    const { replayed, ...reply } = await run(prepared, dependencies)
    const idempotencyHeaders = {
      ...(prepared.idempotency ? { 'idempotency-key': prepared.idempotency.key } : {}),
      ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
    }
    return Response.json(reply.body, {
      status: reply.status,
      headers: { ...headers, ...idempotencyHeaders },
    })
  } catch (error) {
    if (!(error instanceof ApiError)) dependencies.report(error)
    const { status, body } = errorReply(error)
    return Response.json(body, { status, headers })
  }
}

function authenticate(request: Request): void {
  const [scheme, key = ''] = (request.headers.get('authorization') ?? '').split(' ')
  if (scheme !== 'Bearer' || key === '') {
    throw new ApiError(401, {
      type: 'invalid_request_error',
      message: 'You did not provide an API key.',
    })
  }
  if (!/^(sk|rk)_test_\w{3,200}$/.test(key)) {
    throw new ApiError(401, {
      type: 'invalid_request_error',
      message: `Invalid API Key provided: ${key.slice(0, 8)}****`,
    })
  }
}

async function readBody(request: Request): Promise<string> {
  return request.method === 'POST' ? await request.text() : new URL(request.url).search.slice(1)
}

function prepare(
  request: Request,
  body: string,
  routes: readonly Route[],
  requestId: string,
): Prepared {
  const { pathname } = new URL(request.url)
  const segments = pathname.split('/').slice(1).map(decodeURIComponent)
  for (const route of routes) {
    const ids = route.method === request.method ? matchPath(route, segments) : undefined
    if (!ids) continue
    const form = parseForm(body)
    const expand = parseExpand(form)
    const key = request.method === 'POST' ? request.headers.get('idempotency-key') : null
    if (key !== null && key.length > 255)
      throw invalidRequest('Idempotency keys are at most 255 characters long.')
    const idempotency = key === null ? undefined : { key, endpoint: pathname, body }
    return { work: route.prepare(form, ids), expand, requestId, idempotency }
  }
  throw new ApiError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${request.method}: ${pathname}). The payment sandbox does not support this URL.`,
  })
}

async function run(
  prepared: Prepared,
  dependencies: ApiDependencies,
): Promise<Reply & { replayed: boolean }> {
  const { idempotency, requestId, expand } = prepared
  return dependencies.transaction(async (query) => {
    const call = openCall(query, dependencies, {
      id: requestId,
      idempotency_key: idempotency?.key ?? null,
    })
    const replay = idempotency && (await claimKey(query, { ...idempotency, now: call.now }))
    if (replay) return { ...replay, replayed: true }
    const reply = await attempt(query, async () => {
      const response = presentResponse(await prepared.work(call), dependencies.publicUrl)
      await expandResponse(response, expand, {
        store: call.store,
        publicUrl: dependencies.publicUrl,
      })
      return response
    })
    if (idempotency) await storeReply(query, idempotency.key, reply)
    return { ...reply, replayed: false }
  })
}

/**
 * Runs the work of a request in a savepoint. An ApiError rolls back the writes of the request and keeps its idempotency
 * key, so that a repeated request receives the same error.
 */
async function attempt(query: Query, work: () => Promise<object>): Promise<Reply> {
  await query('savepoint work')
  try {
    return { status: 200, body: await work() }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (!error.keepsWrites) await query('rollback to savepoint work')
    return errorReply(error)
  }
}

function presentResponse(response: ResponseBody, publicUrl: string): object {
  if (!('data' in response) || !Array.isArray(response.data)) {
    return 'deleted' in response && response.deleted
      ? response
      : { ...present(response as StoredObject, publicUrl) }
  }
  return {
    ...response,
    data: response.data.map((item) => present(item as StoredObject, publicUrl)),
  }
}

function errorReply(error: unknown): Reply {
  if (error instanceof ApiError) return { status: error.status, body: { error: error.body } }
  return {
    status: 500,
    body: { error: { type: 'api_error', message: 'The payment sandbox failed.' } },
  }
}
