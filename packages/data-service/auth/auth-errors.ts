import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * The errors of the auth service. Each error has the status and the message of the same error in GoTrue, because
 * clients interpret the status and the message.
 */
const authErrors = {
  bad_json: { status: 400, message: 'Could not parse request body as JSON' },
  validation_failed: { status: 400, message: 'The request is incomplete or has invalid values' },
  invalid_credentials: { status: 400, message: 'Invalid login credentials' },
  unsupported_grant_type: { status: 400, message: 'unsupported_grant_type' },
  refresh_token_not_found: {
    status: 400,
    message: 'Invalid Refresh Token: Refresh Token Not Found',
  },
  refresh_token_already_used: { status: 400, message: 'Invalid Refresh Token: Already Used' },
  session_expired: { status: 400, message: 'Invalid Refresh Token: Session Expired' },
  no_authorization: { status: 401, message: 'This endpoint requires a valid Bearer token' },
  bad_jwt: { status: 403, message: 'invalid JWT: unable to parse or verify signature' },
  session_not_found: {
    status: 403,
    message: 'Session from session_id claim in JWT does not exist',
  },
  user_banned: { status: 403, message: 'User is banned' },
  signup_disabled: { status: 422, message: 'Signups not allowed for this instance' },
  not_supported: { status: 404, message: 'This part of the auth protocol is not implemented' },
  // After a response with status 503, the client keeps its session and retries; after any other failure, the client
  // would sign the user out.
  unavailable: { status: 503, message: 'The auth service is temporarily unavailable' },
  unexpected_failure: { status: 500, message: 'Internal Server Error' },
} as const satisfies Readonly<Record<string, { status: number; message: string }>>

export type AuthErrorCode = keyof typeof authErrors

/**
 * The first version of GoTrue's protocol in which `code` is the name of the error; in earlier versions, `code` is the
 * HTTP status.
 */
const namedCodesSince = '2024-01-01'

/**
 * Sends an error in the version of GoTrue's protocol that the client requests with the header `x-supabase-api-version`.
 */
export function sendAuthError(
  request: FastifyRequest,
  reply: FastifyReply,
  code: AuthErrorCode,
): FastifyReply {
  const { status, message } = authErrors[code]
  const requested = request.headers['x-supabase-api-version']
  if (typeof requested === 'string' && requested >= namedCodesSince) {
    return reply
      .code(status)
      .header('x-supabase-api-version', namedCodesSince)
      .send({ code, message })
  }
  return reply.code(status).send({ code: status, error_code: code, msg: message })
}
