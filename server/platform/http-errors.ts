import type { FastifyError, FastifyInstance } from 'fastify'

/**
 * The one answer to everything that throws under `/api`: `{ok: false, code, message}`.
 * Expected refusals never come here; they are values that the routes present themselves.
 */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) {
      request.log.error({ err: error }, 'request failed')
      return reply.code(500).send({
        ok: false,
        code: 'INTERNAL_ERROR',
        message: 'Something went wrong on our side. Please try again.',
        requestId: request.id,
      })
    }
    return reply
      .code(status)
      .send({ ok: false, code: error.code ?? 'BAD_REQUEST', message: error.message })
  })
}
