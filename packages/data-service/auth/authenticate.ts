import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import {
  addressGroup,
  createNetworkHash,
  networksAround,
} from '#server/platform/http/limits/client-address.ts'
import type { Authenticate, Caller } from '../rest/caller.ts'
import type { AuthContext } from './auth-context.ts'
import { type AccessTokenRefusal, verifyAccessToken } from './verify-access-token.ts'

type Options = {
  readonly auth: AuthContext
  /** The public key that names the caller as a visitor of this site. */
  readonly anonKey: string
  /** Names client addresses for the database, which counts and quarantines by them. */
  readonly addressKey: string
  /** False tells the database not to count visitors either. */
  readonly isEnforced: boolean
  /** Whether a job of this process links bookings that visitors insert, so that an insert need not. */
  readonly linksLater?: boolean | undefined
  /** Told whether the session of a request's access token is open. */
  readonly recordSession?: (request: FastifyRequest, isOpen: boolean) => void
}

/** The request headers that triggers may read; all others stay outside the database. */
const passedHeaders = ['x-form-token', 'x-form-website']
const maxHeaderLength = 1_000

/**
 * Who a request of the data service comes from: its bearer token, or without one its `apikey`. The
 * public key is asked for although it is no secret, because no other site can make a visitor's browser
 * send such a header without asking first (CORS).
 */
export function createAuthenticate(options: Options): Authenticate {
  const { auth, anonKey, recordSession } = options
  const hashOf = createNetworkHash(options.addressKey)
  const authenticate = async (request: FastifyRequest): Promise<Caller> => {
    const token = bearerOf(request) ?? request.headers['apikey']
    if (typeof token !== 'string' || token === '') return noKey
    const headers = headersFor(request, hashOf, options)
    if (isSame(token, anonKey)) return { ok: true, identity: { role: 'anon', headers } }
    const verified = await verifyAccessToken(auth, token)
    if (verified.ok) recordSession?.(request, true)
    else if (verified.refusal === 'SESSION_ENDED') recordSession?.(request, false)
    if (!verified.ok) return unauthorized(describeRefusal(verified.refusal, token))
    const { claims } = verified.value
    return { ok: true, identity: { role: 'authenticated', claims, headers } }
  }
  // Asked by the limits and again by the service: one look per request.
  const callers = new WeakMap<FastifyRequest, Promise<Caller>>()
  return (request) => {
    const caller = callers.get(request) ?? authenticate(request)
    callers.set(request, caller)
    return caller
  }
}

/** The token of `Authorization: Bearer …`. */
export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

function headersFor(
  request: FastifyRequest,
  hashOf: (network: string) => string,
  { isEnforced, linksLater }: Options,
): Record<string, string> {
  const passed = passedHeaders.flatMap((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? [[name, value.slice(0, maxHeaderLength)] as const] : []
  })
  return {
    ...Object.fromEntries(passed),
    'x-client-address-hash': hashOf(addressGroup(request.ip)),
    ...(insertsRows(request) ? networkHashes(request.ip, hashOf) : {}),
    ...(linksLater && insertsRows(request) ? { 'x-links-later': 'yes' } : {}),
    ...(isEnforced ? {} : { 'x-rate-limits': 'off' }),
  }
}

/**
 * The database counts bookings by network when they are inserted; nothing else reads these headers. The route decides, as
 * the router read it: a client can write any words into the query of an address.
 */
function insertsRows({ method, routeOptions }: FastifyRequest): boolean {
  const canInsert = method === 'POST' || method === 'PUT'
  return canInsert && routeOptions.url !== '/rest/v1/rpc/:function'
}

function networkHashes(
  address: string,
  hashOf: (network: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    networksAround(address).map(({ bits, network }) => [`x-client-${bits}-hash`, hashOf(network)]),
  )
}

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

/** PostgREST 12 gives every token it does not take the code PGRST301, and the reason in words. */
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
