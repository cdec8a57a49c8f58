import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Authenticate, Caller } from '../rest/caller.ts'
import type { AuthContext } from './auth-context.ts'
import { type AccessTokenRefusal, verifyAccessToken } from './verify-access-token.ts'

type Options = {
  readonly auth: AuthContext
  /** The publishable API key of the site. A request with this API key acts as the role `anon`. */
  readonly anonKey: string
  /** Returns the request headers that triggers may read (`Identity.headers`); none by default. */
  readonly headersOf?: (request: FastifyRequest) => Readonly<Record<string, string>>
  /**
   * The service calls this function for each request whose access token has a valid signature; `isOpen` states whether
   * the session of the token is still open.
   */
  readonly recordSession?: (request: FastifyRequest, isOpen: boolean) => void
}

/**
 * Creates the function that authenticates a request by its bearer token, or by its header `apikey` when it has no
 * bearer token. The header `apikey` may contain the publishable API key, which is not secret. Every request needs one
 * of the two headers, because a page of another site cannot make a browser send them without a CORS preflight request.
 */
export function createAuthenticate(options: Options): Authenticate {
  const { auth, anonKey, headersOf = () => ({}), recordSession } = options
  const authenticate = async (request: FastifyRequest): Promise<Caller> => {
    const token = bearerOf(request) ?? request.headers['apikey']
    if (typeof token !== 'string' || token === '') return noKey
    const headers = headersOf(request)
    if (isSame(token, anonKey)) return { ok: true, identity: { role: 'anon', headers } }
    const verified = await verifyAccessToken(auth, token)
    if (verified.ok) recordSession?.(request, true)
    else if (verified.refusal === 'SESSION_ENDED') recordSession?.(request, false)
    if (!verified.ok) return unauthorized(describeRefusal(verified.refusal, token))
    const { role, claims } = verified.value
    return { ok: true, identity: { role, claims, headers } }
  }
  // Caches the result for each request, because both the rate limiter and the REST API authenticate the request.
  const callers = new WeakMap<FastifyRequest, Promise<Caller>>()
  return (request) => {
    const caller = callers.get(request) ?? authenticate(request)
    callers.set(request, caller)
    return caller
  }
}

/** Returns the token of `Authorization: Bearer …`. */
export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/**
 * Compares two keys in constant time, so that the duration does not reveal how many characters of the given key are
 * right.
 */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const noKey: Caller = {
  ok: false,
  status: 401,
  body: {
    code: 'PGRST302',
    message: 'No API key found in request',
    details: null,
    hint: 'Send the public key of the site in the header `apikey`.',
  },
}

/**
 * Returns the response of PostgREST 12 to an invalid token: the code is always PGRST301, and the message states the
 * reason.
 */
function unauthorized(message: string): Caller {
  return {
    ok: false,
    status: 401,
    body: { code: 'PGRST301', message, details: null, hint: null },
    headers: {
      'www-authenticate': `Bearer error="invalid_token", error_description=${JSON.stringify(message)}`,
    },
  }
}

function describeRefusal(refusal: AccessTokenRefusal, token: string): string {
  const messages: Record<AccessTokenRefusal, string> = {
    WRONG_ROLE: 'JWT has no role of this site',
    TOO_LONG: 'JWT is valid for longer than this site allows',
    SESSION_ENDED: 'JWT session has ended',
    EXPIRED: 'JWT expired',
    NOT_YET_VALID: 'JWTNotYetValid',
    BAD_SIGNATURE: 'JWSError JWSInvalidSignature',
    UNSUPPORTED_ALGORITHM: 'JWSError JWSNoSignatures',
    MALFORMED: `JWSError (CompactDecodeError Invalid number of parts: Expected 3 parts; got ${token.split('.').length})`,
  }
  return messages[refusal]
}
