import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { apiErrors, type ErrorCode, errorBody } from '#contracts/api/errors.ts'
import type { DatabaseRefusal } from '#contracts/commands/command.ts'
import { QueueFullError } from '#server/platform/queue/work-queue.ts'
import { isZeroByte, outageOf, retryAfterSeconds } from '@local/postgres'

/**
 * Responds with an expected refusal of an endpoint under `/api`; `message` replaces the default message of the error
 * code.
 */
export function sendRefusal(
  reply: FastifyReply,
  code: ErrorCode,
  message?: string,
  cause?: DatabaseRefusal,
): FastifyReply {
  return reply
    .code(apiErrors[code].status)
    .send({ ...errorBody(code, message), ...(cause && { cause }) })
}

/**
 * Responds to every thrown error under `/api` with `{ok: false, code, message}`. Expected refusals are not thrown; the
 * routes return them.
 */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const requestError = requestErrors[error.code]
    if (requestError) return sendRefusal(reply, requestError.code, requestError.message)
    if (error instanceof QueueFullError) {
      return sendRefusal(reply.header('retry-after', String(error.retryAfterSeconds)), 'BUSY')
    }
    const status = isZeroByte(error) ? 400 : (error.statusCode ?? 500)
    if (status >= 400 && status < 500) return reply.code(status).send(errorBody('BAD_REQUEST'))
    const outage = outageOf(error)
    // A database outage is logged once, as a problem of the database (watch-health.ts), and not for each request.
    if (!outage || outage === 'failing') request.log.error({ err: error }, 'request failed')
    if (outage) {
      return reply
        .code(apiErrors.UNAVAILABLE.status)
        .header('retry-after', retryAfterSeconds)
        .send({ ...errorBody('UNAVAILABLE'), requestId: request.id })
    }
    return reply.code(500).send({ ...errorBody('INTERNAL_ERROR'), requestId: request.id })
  })
}

/** Responds to a request with a malformed URL. Fastify passes such a request to no route and no hook. */
export function sendUnreadable(
  _error: FastifyError,
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  void sendRefusal(reply, 'BAD_REQUEST')
}

/**
 * The errors with which Fastify refuses a request before it reaches a route. Their messages do not repeat the
 * content of the request.
 */
const requestErrors: Readonly<
  Record<string, { readonly code: ErrorCode; readonly message?: string }>
> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'BODY_TOO_LARGE' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'UNSUPPORTED_MEDIA_TYPE' },
  FST_ERR_CTP_INVALID_JSON_BODY: {
    code: 'BAD_REQUEST',
    message: 'The request is not valid JSON.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'BAD_REQUEST', message: 'The request has no body.' },
}
