import type { FastifyReply, FastifyRequest } from 'fastify'
import type { adminSessionEndpoints } from '#contracts/admin-session.ts'
import type { RequestOf, ResponseOf } from '#contracts/api/endpoint.ts'
import type { Onboarding } from '#contracts/onboarding.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { busyRetrySeconds } from '@local/data-service'
import { recordRefusal, type RefusedRequest } from '#server/features/audit/record-audit.ts'
import { addressGroup } from '#server/platform/http/limits/client-address.ts'
import type { RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'
import {
  type AdminSession,
  adminSessionSeconds,
  findAdminSession,
  openAdminSession,
  type SessionOrigin,
} from '../admin-sessions.ts'
import type { Admin, AuthGateway, OpenedSession } from '../gateway/auth-gateway.ts'
import { hasCodeApp } from '../code-app/code-apps.ts'
import { openPendingSignIn } from '../code-app/pending-sign-ins.ts'
import { formerHostsOfAccount } from '../passkeys/former-hosts.ts'
import { relyingPartyOf } from '../passkeys/relying-party.ts'
import { describeDevice } from './describe-device.ts'
import { readKnownBrowserCookie, setKnownBrowserCookie } from './known-browser-cookie.ts'
import { presentSession, withOnboarding } from '../present-session.ts'
import { trustBrowser } from './known-browsers.ts'
import { closePreviousSession } from './log-out.ts'
import type { AdminDependencies } from '../rights-checks.ts'
import type { PasswordQueueName } from './password-queues.ts'
import { setSessionCookie } from '../session-cookie.ts'
import { redeemSignInCode } from './sign-in-codes.ts'
import { readTabletCookie } from '../tablets/tablet-cookie.ts'
import { unlockTablet } from '../tablets/tablets.ts'
import { takeAttempt, type AttemptOutcome, type RetryAfter } from './sign-in-attempts.ts'

export type LogInDependencies = AdminDependencies & {
  readonly gateway: AuthGateway
  readonly limits: RateLimits
  readonly readOnboarding: () => Promise<Onboarding>
}

type Credentials = RequestOf<typeof adminSessionEndpoints.logIn>
type SignedIn = { readonly admin: Admin; readonly opened: OpenedSession }
export type Welcomed = {
  readonly admin: AdminSession
  readonly opened: OpenedSession
  readonly onboarding: Onboarding
  /**
   * The former hosts of the site for which the team member created passkeys, if none of the passkeys works at the
   * current host.
   */
  readonly formerPasskeyHosts?: readonly string[]
}

/**
 * Checks the rate limits, then the password, and then sets the cookies. An account with an authenticator app must send
 * a code in a second step.
 */
export async function logIn(
  dependencies: LogInDependencies,
  credentials: Credentials,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<Result<Welcomed, Refusal>> {
  const byCode = await trySignInCode(dependencies, credentials)
  if (byCode) return welcome(dependencies, request, reply, byCode)
  const outcome = await tryPassword(dependencies, request, credentials)
  if (outcome.ok) {
    const { admin, opened } = outcome.value
    if (!(await hasCodeApp(dependencies.database, admin.userId))) {
      return welcome(dependencies, request, reply, outcome.value)
    }
    await dependencies.gateway.closeSession(opened)
    await openPendingSignIn(dependencies, reply, admin.userId)
    return refused({ code: 'SECOND_FACTOR' })
  }
  const { refusal } = outcome
  return refused(refusal === 'INVALID_CREDENTIALS' ? { code: refusal } : refusal)
}

/**
 * One-time sign-in codes bypass every limit, because the owner needs such a code when attackers have used up the
 * password attempts.
 */
async function trySignInCode(
  { gateway, database, now }: LogInDependencies,
  { username, password }: Credentials,
): Promise<SignedIn | undefined> {
  const admin = await redeemSignInCode(database, username, password, now())
  const opened = admin && (await gateway.openSession(admin, now() + adminSessionSeconds * 1000))
  return admin && opened ? { admin, opened } : undefined
}

/**
 * The number of seconds after which the client may try again, for each refusal of the auth service. A hosted Supabase
 * project counts its limits per minute.
 */
const waits = { BUSY: busyRetrySeconds, RATE_LIMITED: 60 } as const

/** Checks a password and opens a data session (tokens for the REST API), unless a sign-in limit is reached. */
async function tryPassword(
  dependencies: LogInDependencies,
  request: FastifyRequest,
  { username, password }: Credentials,
): Promise<Result<SignedIn, 'INVALID_CREDENTIALS' | RetryAfter>> {
  const allowance = await takeAttempt(dependencies, request, username)
  if (!allowance.ok) {
    noteRefusal(dependencies, request, { kind: 'sign_in_blocked', triedUsername: username })
    return allowance
  }
  let tried: AttemptOutcome = 'unchecked'
  try {
    const { queue } = allowance.value
    const outcome = await checkPassword(dependencies.gateway, { username, password }, queue)
    if (outcome.ok) tried = 'right'
    else if (outcome.refusal === 'INVALID_CREDENTIALS') {
      tried = 'wrong'
      noteRefusal(dependencies, request, { kind: 'wrong_password', triedUsername: username })
    }
    return outcome
  } finally {
    await allowance.value.record(tried)
  }
}

/**
 * Writes the audit entry of a refused sign-in without waiting for the database, because the response time must not
 * reveal whether an account exists.
 */
function noteRefusal(
  { database }: LogInDependencies,
  request: FastifyRequest,
  refusal: RefusedRequest,
): void {
  recordRefusal(database, request, refusal).catch((error: unknown) =>
    request.log.error({ err: error }, 'a refused sign-in is missing in the audit'),
  )
}

/** Checks a password without a limit on attempts, and opens a data session (tokens for the REST API). */
export async function checkPassword(
  gateway: AuthGateway,
  { username, password }: Credentials,
  queue: PasswordQueueName,
): Promise<Result<SignedIn, 'INVALID_CREDENTIALS' | RetryAfter>> {
  const outcome = await gateway.signIn(username, password, queue)
  if (outcome.ok) return outcome
  const { refusal } = outcome
  return refused(refusal === 'INVALID_CREDENTIALS' ? refusal : { waitSeconds: waits[refusal] })
}

/** Opens the session of a team member who has proved their identity, and sets the cookies of the session. */
export async function welcome(
  dependencies: LogInDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  signedIn: SignedIn,
): Promise<Result<Welcomed, Refusal>> {
  const { admin, opened } = signedIn
  const { database, now, publicUrl } = dependencies
  await closePreviousSession(dependencies, request)
  const token = await openAdminSession(database, admin, opened.id, originOf(request))
  const session = token && (await findAdminSession(database, token))
  // While the password was checked, somebody set a new password or switched the staff account off.
  if (!token || !session) {
    await dependencies.gateway.closeSession(opened)
    return refused({ code: 'INVALID_CREDENTIALS' })
  }
  const formerBrowser = readKnownBrowserCookie(request)
  const browser = await trustBrowser(database, admin.username, formerBrowser, now())
  if (session.role !== 'technician') await unlockTablet(database, readTabletCookie(request) ?? '')
  setSessionCookie(reply, token, publicUrl)
  setKnownBrowserCookie(reply, browser, publicUrl)
  const site = relyingPartyOf(publicUrl)
  return accepted({
    admin: session,
    opened,
    onboarding: await dependencies.readOnboarding(),
    formerPasskeyHosts: site.ok
      ? await formerHostsOfAccount(database, admin.userId, site.value.id)
      : [],
  })
}

function originOf(request: FastifyRequest): SessionOrigin {
  const address = addressGroup(request.ip)
  return {
    device: describeDevice(request.headers['user-agent']),
    networkAddress: address === 'no address' ? null : address,
  }
}

/** Returns the response to a successful sign-in with a password or a passkey. */
export function presentLogIn({
  admin,
  opened,
  onboarding,
  formerPasskeyHosts = [],
}: Welcomed): ResponseOf<typeof adminSessionEndpoints.logIn> {
  const { username, name, role } = admin
  return {
    ok: true,
    message: 'Login Successful',
    user: { username },
    name,
    role,
    session: presentSession(opened.session),
    ...(formerPasskeyHosts.length > 0 && { formerPasskeyHosts: [...formerPasskeyHosts] }),
    ...withOnboarding(admin, onboarding),
  }
}
