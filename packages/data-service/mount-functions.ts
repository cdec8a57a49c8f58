import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Identity, isZeroByte, outageOf, retryAfterSeconds } from '@local/postgres'
import { allowOwnOrigin } from './cross-origin.ts'
import type { Authenticate } from './rest/caller.ts'

/** A server function: receives the web request and the caller's identity, and returns the web response. */
export type ServerFunction = (request: Request, caller: Identity) => Promise<Response>

type FunctionDependencies = {
  /** The server functions by their names in the URL. */
  readonly functions: Readonly<Record<string, ServerFunction>>
  readonly authenticate: Authenticate
  /** The origin of the site; the request that a function receives has this origin. */
  readonly publicUrl: string
  /** Request headers that pages may send in addition to those of supabase-js. */
  readonly allowedHeaders?: readonly string[]
  /** Request headers that functions receive in addition to the standard headers. */
  readonly passedHeaders?: readonly string[]
  /**
   * The package calls `limitCalls` before each server function. `limitCalls` sends the response itself when the client
   * has made too many calls.
   */
  readonly limitCalls: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

/**
 * The standard request headers that every function receives. A function need not check the header `authorization`,
 * because `authenticate` has already identified the caller.
 */
const standardHeaders = ['authorization', 'content-type', 'accept', 'x-client-info']

/** Serves `/functions/v1/<name>` by running the functions of a hosted Supabase project in this process. */
export function mountFunctions(app: FastifyInstance, dependencies: FunctionDependencies): void {
  const { functions, authenticate, publicUrl, allowedHeaders, limitCalls } = dependencies
  const headerNames = [...standardHeaders, ...(dependencies.passedHeaders ?? [])]
  app.register(
    (scope, _options, done) => {
      allowOwnOrigin(scope, publicUrl, { methods: 'POST, OPTIONS', allowedHeaders })
      // The package passes the body unparsed, because each function parses its request body, as in a hosted Supabase
      // project.
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, next) =>
        next(null, body),
      )
      scope.setErrorHandler<FastifyError>((error, request, reply) =>
        handleError(error, request, reply),
      )
      scope.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'no-store')
      })
      scope.post('/:name', { preHandler: limitCalls }, async (request, reply) => {
        const { name } = request.params as { name: string }
        const run = Object.hasOwn(functions, name) ? functions[name] : undefined
        if (!run) return sendError(reply, 404, 'Requested function was not found')
        const caller = await authenticate(request)
        if (!caller.ok) return reply.code(caller.status).send(caller.body)
        const response = await run(toWebRequest(request, publicUrl, headerNames), caller.identity)
        return sendResponse(reply, response)
      })
      scope.setNotFoundHandler((_request, reply) =>
        sendError(reply, 404, 'Requested function was not found'),
      )
      done()
    },
    { prefix: '/functions/v1' },
  )
}

function toWebRequest(
  request: FastifyRequest,
  publicUrl: string,
  headerNames: readonly string[],
): Request {
  const headers = new Headers()
  for (const name of headerNames) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const body = Buffer.isBuffer(request.body) ? new Uint8Array(request.body) : null
  return new Request(new URL(request.url, publicUrl), { method: request.method, headers, body })
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const type = response.headers.get('content-type')
  if (type !== null) reply.type(type)
  return reply.code(response.status).send(Buffer.from(await response.arrayBuffer()))
}

function handleError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const status = isZeroByte(error) ? 400 : (error.statusCode ?? 500)
  if (status < 500) return sendError(reply, status, 'The request could not be read.')
  const outage = outageOf(error)
  if (!outage || outage === 'failing') request.log.error({ err: error }, 'function failed')
  if (outage) reply.header('retry-after', retryAfterSeconds)
  return sendError(reply, outage ? 503 : 500, 'Something went wrong on our side. Please try again.')
}

function sendError(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply.code(status).send({ success: false, error })
}
