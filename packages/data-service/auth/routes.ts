import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { isZeroByte, outageOf, retryAfterSeconds } from '@local/postgres'
import { refused, type Result } from '../result.ts'
import { type AuthContext, asAuth } from './auth-context.ts'
import { type AuthErrorCode, sendAuthError } from './auth-errors.ts'
import { bearerOf } from './authenticate.ts'
import { refreshSession } from './refresh-session.ts'
import { endSessions, type Session } from './sessions.ts'
import { busyRetrySeconds, type PasswordQueue, signInByPasswordAlone } from './sign-in.ts'
import { findUser, presentUser } from './users.ts'
import { type AccessToken, verifyAccessToken } from './verify-access-token.ts'

/** The rate limits of the auth service. The server that mounts the auth service implements these limits. */
export type AuthLimits = {
  /**
   * Counts an attempt to sign in; returns the seconds to wait when a limit refuses the attempt, otherwise undefined.
   */
  countSignIn(request: FastifyRequest, email: string): Promise<number | undefined>
  /** Removes a sign-in whose password was correct from the counted attempts. */
  forgiveSignIn(request: FastifyRequest): Promise<void>
  /**
   * Counts a refresh of a session; returns the seconds to wait when a limit refuses the refresh, otherwise undefined.
   */
  countRefresh(request: FastifyRequest): Promise<number | undefined>
  /** Responds with status 429; `seconds` is the time until the next attempt is allowed. */
  sendTooManyRequests(request: FastifyRequest, reply: FastifyReply, seconds: number): FastifyReply
}

type AuthDependencies = {
  readonly auth: AuthContext
  readonly limits: AuthLimits
  /** The queue that runs the password checks of sign-ins and limits how many checks run at the same time. */
  readonly passwordQueue: PasswordQueue
}

const passwordGrant = z.object({
  email: z.string().check(z.minLength(3), z.maxLength(254)),
  password: z.string().check(z.minLength(1), z.maxLength(1_000)),
})
const refreshGrant = z.object({
  refresh_token: z.string().check(z.minLength(1), z.maxLength(200)),
})
const scopes = z.enum(['global', 'local', 'others'])

/**
 * Serves `/auth/v1`: the part of GoTrue's protocol for signing in with a password, refreshing, and signing out. Sign-up,
 * password reset by email and changes of the user are not implemented; their paths respond with a 4xx status.
 */
export function registerAuth(app: FastifyInstance, dependencies: AuthDependencies): void {
  app.register(
    (scope, _options, done) => {
      acceptEmptyJson(scope)
      scope.setErrorHandler<FastifyError>(handleError)
      scope.setNotFoundHandler((request, reply) => sendAuthError(request, reply, 'not_supported'))
      scope.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'no-store')
      })
      addRoutes(scope, dependencies)
      done()
    },
    { prefix: '/auth/v1' },
  )
}

/** The client sends the content type `application/json` even with an empty body, for example for a sign-out. */
function acceptEmptyJson(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error')
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    (request, body: string, done) => (body === '' ? done(null) : parse(request, body, done)),
  )
}

function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof SyntaxError || error.code === 'FST_ERR_CTP_INVALID_JSON_BODY') {
    return sendAuthError(request, reply, 'bad_json')
  }
  if (isZeroByte(error) || (error.statusCode !== undefined && error.statusCode < 500)) {
    return sendAuthError(request, reply, 'validation_failed')
  }
  const outage = outageOf(error)
  if (!outage || outage === 'failing') request.log.error({ err: error }, 'auth request failed')
  if (outage) {
    reply.header('retry-after', retryAfterSeconds)
    return sendAuthError(request, reply, 'unavailable')
  }
  return sendAuthError(request, reply, 'unexpected_failure')
}

function addRoutes(scope: FastifyInstance, dependencies: AuthDependencies): void {
  scope.get('/health', () => ({ name: 'GoTrue', description: 'The auth service of this site' }))
  scope.get('/settings', () => ({
    external: { email: true, phone: false },
    disable_signup: true,
    mailer_autoconfirm: false,
    phone_autoconfirm: false,
  }))
  scope.post('/token', (request, reply) => grantToken(dependencies, request, reply))
  scope.get('/user', async (request, reply) => {
    const caller = await identifyCaller(dependencies.auth, request)
    if (!caller.ok) return sendAuthError(request, reply, caller.refusal)
    const user = await dependencies.auth.database.transaction(asAuth, (query) =>
      findUser(query, caller.value.userId),
    )
    return user ? presentUser(user) : sendAuthError(request, reply, 'session_not_found')
  })
  scope.post('/logout', async (request, reply) => {
    const caller = await identifyCaller(dependencies.auth, request)
    if (!caller.ok) return sendAuthError(request, reply, caller.refusal)
    const parsedScope = z.safeParse(z._default(scopes, 'global'), readQuery(request, 'scope'))
    if (!parsedScope.success) return sendAuthError(request, reply, 'validation_failed')
    await endSessions(dependencies.auth, { ...caller.value, scope: parsedScope.data })
    return reply.code(204).send()
  })
  scope.post('/signup', (request, reply) => sendAuthError(request, reply, 'signup_disabled'))
}

async function grantToken(
  { auth, limits, passwordQueue }: AuthDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const grant = readQuery(request, 'grant_type')
  if (grant === 'password') {
    const body = z.safeParse(passwordGrant, request.body)
    if (!body.success) return sendAuthError(request, reply, 'validation_failed')
    const wait = await limits.countSignIn(request, body.data.email)
    if (wait !== undefined) return limits.sendTooManyRequests(request, reply, wait)
    const outcome = await signInByPasswordAlone(auth, body.data, passwordQueue)
    if (outcome.ok) {
      await limits.forgiveSignIn(request)
      return reply.send(outcome.value.session)
    }
    return outcome.refusal === 'busy'
      ? limits.sendTooManyRequests(request, reply, busyRetrySeconds)
      : sendAuthError(request, reply, outcome.refusal)
  }
  if (grant === 'refresh_token') {
    const body = z.safeParse(refreshGrant, request.body)
    if (!body.success) return sendAuthError(request, reply, 'validation_failed')
    const wait = await limits.countRefresh(request)
    if (wait !== undefined) return limits.sendTooManyRequests(request, reply, wait)
    return sendOutcome(request, reply, await refreshSession(auth, body.data.refresh_token))
  }
  return sendAuthError(request, reply, 'unsupported_grant_type')
}

function sendOutcome(
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: Result<Session, AuthErrorCode>,
): FastifyReply {
  return outcome.ok ? reply.send(outcome.value) : sendAuthError(request, reply, outcome.refusal)
}

async function identifyCaller(
  auth: AuthContext,
  request: FastifyRequest,
): Promise<Result<AccessToken, AuthErrorCode>> {
  const token = bearerOf(request)
  if (token === undefined) return refused('no_authorization')
  const verified = await verifyAccessToken(auth, token)
  if (verified.ok) return verified
  return refused(verified.refusal === 'SESSION_ENDED' ? 'session_not_found' : 'bad_jwt')
}

function readQuery(request: FastifyRequest, name: string): unknown {
  return (request.query as Record<string, unknown>)[name]
}
