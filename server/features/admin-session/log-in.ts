import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { type DataSession, loginRequest } from '#contracts/admin-session.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { fullLaneSeconds } from '#server/data-service/auth/password-lanes.ts'
import { sendRefusal } from '#server/platform/http/errors.ts'
import type { RateLimits } from '#server/platform/http/rate-limits.ts'
import { answerTooManyRequests } from '#server/platform/http/too-many-requests.ts'
import { adminSessionSeconds, openAdminSession } from './admin-sessions.ts'
import type { Admin, AuthGateway, OpenedSession } from './auth-gateway.ts'
import { readKnownBrowserCookie, setKnownBrowserCookie } from './known-browser-cookie.ts'
import { trustBrowser } from './known-browsers.ts'
import { leaveFormerSession } from './log-out.ts'
import type { AdminDependencies } from './require-admin.ts'
import { setSessionCookie } from './session-cookie.ts'
import { redeemSignInCode } from './sign-in-codes.ts'
import { takeAllowance, type TryOutcome, type Wait } from './sign-in-allowance.ts'

export type LogInDependencies = AdminDependencies & {
  readonly gateway: AuthGateway
  readonly limits: RateLimits
}

type Credentials = z.infer<typeof loginRequest>
type SignedIn = { readonly admin: Admin; readonly opened: OpenedSession }

/** `POST /api/admin/login`: limit, check, then the cookie and what goes with it. */
export async function logIn(
  dependencies: LogInDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = z.safeParse(loginRequest, request.body)
  if (!body.success) return sendRefusal(reply, 'BAD_REQUEST', 'Please enter username and password.')
  const outcome =
    (await trySignInCode(dependencies, body.data)) ??
    (await tryPassword(dependencies, request, body.data))
  if (outcome.ok) return welcome(dependencies, request, reply, outcome.value)
  return outcome.refusal === 'INVALID_CREDENTIALS'
    ? sendRefusal(reply, outcome.refusal)
    : answerTooManyRequests(request, reply, outcome.refusal.waitSeconds)
}

/** A code stands outside every limit: it is for when strangers have used those up. */
async function trySignInCode(
  { gateway, database, now }: LogInDependencies,
  { username, password }: Credentials,
): Promise<Result<SignedIn, never> | undefined> {
  const admin = await redeemSignInCode(database, username, password, now())
  const opened = admin && (await gateway.openSession(admin, now() + adminSessionSeconds * 1000))
  return admin && opened ? accepted({ admin, opened }) : undefined
}

/** How long to wait where nobody says it; a hosted project's own limits are by the minute. */
const waits = { BUSY: fullLaneSeconds, RATE_LIMITED: 60 } as const

async function tryPassword(
  dependencies: LogInDependencies,
  request: FastifyRequest,
  { username, password }: Credentials,
): Promise<Result<SignedIn, 'INVALID_CREDENTIALS' | Wait>> {
  const allowance = await takeAllowance(dependencies, request, username)
  if (!allowance.ok) return allowance
  let tried: TryOutcome = 'unchecked'
  try {
    const outcome = await dependencies.gateway.signIn(username, password, allowance.value.lane)
    if (outcome.ok) {
      tried = 'right'
      return outcome
    }
    if (outcome.refusal !== 'INVALID_CREDENTIALS') {
      return refused({ waitSeconds: waits[outcome.refusal] })
    }
    tried = 'wrong'
    return refused(outcome.refusal)
  } finally {
    await allowance.value.record(tried)
  }
}

async function welcome(
  dependencies: LogInDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { admin, opened }: SignedIn,
): Promise<FastifyReply> {
  const { database, now, publicUrl } = dependencies
  await leaveFormerSession(dependencies, request)
  const token = await openAdminSession(database, admin, opened.id, now())
  // A new password was set while the old one was being checked.
  if (token === undefined) return sendRefusal(reply, 'INVALID_CREDENTIALS')
  const formerBrowser = readKnownBrowserCookie(request)
  const browser = await trustBrowser(database, admin.username, formerBrowser, now())
  setSessionCookie(reply, token, publicUrl)
  setKnownBrowserCookie(reply, browser, publicUrl)
  return reply.send({
    ok: true,
    message: 'Login Successful',
    user: { username: admin.username },
    session: presentSession(opened.session),
  })
}

/** What the browser's data client takes, and nothing else of what the auth service answered. */
export function presentSession(session: DataSession): DataSession {
  const { access_token, refresh_token, expires_in, expires_at } = session
  return { access_token, refresh_token, expires_in, expires_at }
}
