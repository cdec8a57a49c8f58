import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorBody } from '#contracts/api/errors.ts'
import { rateLimitMessage } from '#contracts/api/rate-limit-message.ts'

/**
 * Responds with 429 in the error format of the API to which the URL belongs. `seconds` is the wait in the
 * Retry-After header and in the message.
 */
export function sendTooManyRequests(
  request: FastifyRequest,
  reply: FastifyReply,
  seconds: number,
): FastifyReply {
  const message = rateLimitMessage(seconds)
  void reply.code(429).header('retry-after', String(seconds)).header('cache-control', 'no-store')
  return isForPrograms.test(request.url)
    ? reply.send(bodyFor(request.url, message, seconds))
    : reply.type('text/plain; charset=utf-8').send(`${message}\n`)
}

const isForPrograms = /^\/(api|rest|auth|functions)(\/|$)/

function bodyFor(url: string, message: string, seconds: number): object {
  // PostgREST reports an error with a custom HTTP status as the code 'PT' followed by that status.
  if (url.startsWith('/rest/')) return { code: 'PT429', message, details: null, hint: null }
  if (url.startsWith('/auth/')) {
    return { code: 429, error_code: 'over_request_rate_limit', msg: message }
  }
  if (url.startsWith('/functions/')) return { success: false, error: message }
  return { ...errorBody('RATE_LIMITED', message), waitSeconds: seconds }
}
