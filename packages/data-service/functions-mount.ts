import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Identity, outageOf, retryAfterSeconds } from '@local/postgres'
import { isZeroByte } from '#server/platform/http/errors.ts'
import type { Limit, RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import { allowOwnOrigin } from './cross-origin.ts'
import type { Authenticate } from './rest/caller.ts'

/** A server function as supabase/functions/<name>/handler.ts makes it, bound to its dependencies. */
export type ServerFunction = (request: Request, caller: Identity) => Promise<Response>

type Dependencies = {
  readonly functions: Readonly<Record<string, ServerFunction>>
  readonly authenticate: Authenticate
  readonly limits: RateLimits
  readonly publicUrl: string
}

const functionLimit: Limit = { name: 'functions', max: 30, windowSeconds: 60 }

/** Request headers that a function sees; the caller is told apart by `authenticate`, not by them. */
const passedHeaders = ['authorization', 'content-type', 'accept', 'x-client-info', 'x-form-token']

/** `/functions/v1/<name>`: runs the hosted backend's functions in this process. */
export function mountFunctions(app: FastifyInstance, dependencies: Dependencies): void {
  const { functions, authenticate, limits, publicUrl } = dependencies
  app.register(
    (scope, _options, done) => {
      allowOwnOrigin(scope, publicUrl, { methods: 'POST, OPTIONS' })
      // A function reads its body itself, as it would on the hosted backend.
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
      scope.post('/:name', { preHandler: limits.limit(functionLimit) }, async (request, reply) => {
        const { name } = request.params as { name: string }
        const run = Object.hasOwn(functions, name) ? functions[name] : undefined
        if (!run) return sendError(reply, 404, 'Requested function was not found')
        const caller = await authenticate(request)
        if (!caller.ok) return reply.code(caller.status).send(caller.body)
        const response = await run(toWebRequest(request, publicUrl), caller.identity)
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

function toWebRequest(request: FastifyRequest, publicUrl: string): Request {
  const headers = new Headers()
  for (const name of passedHeaders) {
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
