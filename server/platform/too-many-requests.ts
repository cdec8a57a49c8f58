import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorBody } from '#contracts/errors.ts'

/** Answers 429 in the shape of the protocol that the address belongs to. `seconds` is the wait. */
export function answerTooManyRequests(
  request: FastifyRequest,
  reply: FastifyReply,
  seconds: number,
): FastifyReply {
  return reply
    .code(429)
    .header('retry-after', String(seconds))
    .header('cache-control', 'no-store')
    .send(bodyFor(request.url))
}

function bodyFor(url: string): object {
  const { code, message } = errorBody('RATE_LIMITED')
  // PT429 is how PostgREST spells an error with a status of its own choosing.
  if (url.startsWith('/rest/')) return { code: 'PT429', message, details: null, hint: null }
  if (url.startsWith('/auth/')) {
    return { code: 429, error_code: 'over_request_rate_limit', msg: message }
  }
  if (url.startsWith('/functions/')) return { success: false, error: message }
  return { ok: false, code, message }
}
