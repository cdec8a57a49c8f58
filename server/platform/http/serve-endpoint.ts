import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint, Reader, RequestOf } from '#contracts/api/endpoint.ts'
import type { ErrorCode } from '#contracts/api/errors.ts'
import type { DatabaseRefusal } from '#contracts/commands/command.ts'
import type { Result } from '#domain/result.ts'
import type { RouteDeclaration } from './declare-routes.ts'
import { sendRefusal } from './errors.ts'
import { sendTooManyRequests } from './limits/too-many-requests.ts'
import type { Uncounted } from './limits/uncounted-routes.ts'

/**
 * The reason why a request was refused: either an error code, with data for the log only, or the number of seconds to
 * wait after too many requests.
 */
export type Refusal =
  | {
      readonly code: ErrorCode
      readonly message?: string
      /** The reason why the database refused the request; the response contains this reason. */
      readonly cause?: DatabaseRefusal
      readonly logged?: Record<string, unknown>
    }
  | { readonly waitSeconds: number }

type Call = { readonly request: FastifyRequest; readonly reply: FastifyReply }

/** The rate limit and the functions of a route, in the order in which the server applies them to a request. */
type Route<E extends Endpoint, Value> = {
  readonly uncounted?: Uncounted
  readonly limit?: RouteDeclaration['limit']
} & (E extends { readonly request: unknown }
  ? {
      /** The refusal of a request that does not match the endpoint's schema. */
      readonly invalid: Refusal
    }
  : unknown) & {
    readonly handle: (input: RequestOf<E>, call: Call) => Promise<Result<Value, Refusal>>
    /**
     * Converts the result to the JSON response. For an endpoint without a JSON response, sends the document, such as a
     * PDF.
     */
    readonly present: (
      value: Value,
      reply: FastifyReply,
    ) => E extends { readonly response: Reader<infer Answer> } ? Answer : FastifyReply
  }

/** A route of any endpoint. */
type AnyRoute<Value> = {
  readonly uncounted?: Uncounted
  readonly limit?: RouteDeclaration['limit']
  readonly invalid?: Refusal
  readonly handle: (input: unknown, call: Call) => Promise<Result<Value, Refusal>>
  readonly present: (value: Value, reply: FastifyReply) => unknown
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint that a route serves. */
    endpoint?: Endpoint
  }
}

/**
 * Registers the route of an endpoint: `serve(app, endpoint).with({ limit, invalid, handle, present })`. The two
 * calls let TypeScript infer the types of the endpoint first. The response has the type that the endpoint declares;
 * `handleErrors` responds to thrown errors. Browsers and proxies may not cache a response.
 */
export function serve<E extends Endpoint>(app: FastifyInstance, endpoint: E) {
  return {
    with<Value>(route: Route<E, Value>): void {
      const { uncounted, limit, ...rest } = route as AnyRoute<Value>
      const { method, path, rights, stepUp } = endpoint
      app.route({
        method,
        url: path,
        config: {
          endpoint,
          rights,
          ...(stepUp && { stepUp }),
          ...(limit && { limit }),
          ...(uncounted && { uncounted }),
        },
        onRequest: disableCaching,
        handler: (request, reply) => handleRequest(endpoint, rest, { request, reply }),
      })
    },
  }
}

async function handleRequest<Value>(
  endpoint: Endpoint,
  { invalid = { code: 'BAD_REQUEST' }, handle, present }: AnyRoute<Value>,
  { request, reply }: Call,
): Promise<FastifyReply> {
  const input = readRequest(endpoint, request)
  if (!input.success) return refuse(request, reply, invalid)
  const done = await handle(input.data, { request, reply })
  if (!done.ok) return refuse(request, reply, done.refusal)
  const presented = present(done.value, reply)
  return presented === reply ? reply : reply.send(presented)
}

async function disableCaching(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('cache-control', 'no-store')
}

function readRequest({ method, path, request: schema }: Endpoint, request: FastifyRequest) {
  if (!schema) return { success: true, data: undefined } as const
  const sent = method === 'GET' ? request.query : request.body
  return schema.safeParse(
    path.includes(':') ? { ...asFields(sent), ...asFields(request.params) } : sent,
  )
}

const asFields = (value: unknown) => (typeof value === 'object' ? value : undefined)

function refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  if ('waitSeconds' in refusal) return sendTooManyRequests(request, reply, refusal.waitSeconds)
  const { code, message, cause, logged } = refusal
  if (logged) request.log.warn({ ...logged, code }, 'request refused')
  return sendRefusal(reply, code, message, cause)
}
