import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { apiErrors, type ErrorCode, errorBody } from '#contracts/errors.ts'
import { isExhausted, isOutage } from './outage.ts'

/** Answers an expected refusal of an endpoint under `/api`; `message` replaces the table's words. */
export function sendRefusal(reply: FastifyReply, code: ErrorCode, message?: string): FastifyReply {
  return reply.code(apiErrors[code].status).send(errorBody(code, message))
}

/**
 * The one answer to everything that throws under `/api`: `{ok: false, code, message}`.
 * Expected refusals never come here; they are values that the routes present themselves.
 */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const known = requestErrors[error.code]
    if (known) {
      const { status, code, message } = known
      return reply.code(status).send({ ok: false, code, message })
    }
    const status = isZeroByte(error) ? 400 : (error.statusCode ?? 500)
    if (status >= 400 && status < 500) return reply.code(status).send(errorBody('BAD_REQUEST'))
    request.log.error({ err: error }, 'request failed')
    if (isOutage(error) || isExhausted(error)) {
      return reply
        .code(503)
        .header('retry-after', '5')
        .send({ ok: false, code: 'UNAVAILABLE', message: outageMessage, requestId: request.id })
    }
    return reply.code(500).send({ ...errorBody('INTERNAL_ERROR'), requestId: request.id })
  })
}

/** A request whose address cannot be read reaches no route and no hook. */
export function answerUnreadable(
  _error: FastifyError,
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  void sendRefusal(reply, 'BAD_REQUEST')
}

const outageMessage = 'The site is not available right now. Please try again in a moment.'

/** What Fastify refuses before a route sees it, in words that do not repeat the request. */
const requestErrors: Readonly<Record<string, { status: number; code: string; message: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    status: 413,
    code: 'BODY_TOO_LARGE',
    message: 'The request is too large.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'The request must be JSON (content-type: application/json).',
  },
  FST_ERR_CTP_INVALID_JSON_BODY: {
    status: 400,
    code: 'BAD_REQUEST',
    message: 'The request is not valid JSON.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: {
    status: 400,
    code: 'BAD_REQUEST',
    message: 'The request has no body.',
  },
}

/**
 * Whether PostgreSQL refused a zero byte, the one character that none of its texts can hold: what
 * somebody sent, not a fault of ours. In JSON it is class 22P05, elsewhere 22021.
 */
export function isZeroByte(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(22021|22P05)$/.test(String(error.code))
}
