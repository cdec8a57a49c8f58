import { accepted, refused, type Result } from '../result.ts'
import { type AuthContext, accessTokenSeconds } from './auth-context.ts'
import { type Claims, type JwtRefusal, verifyJwt } from './jwt.ts'
import { isSessionOpen } from './sessions.ts'

/** A valid access token, which always belongs to a signed-in user. */
export type AccessToken = {
  readonly claims: Claims
  readonly userId: string
  readonly sessionId: string
}

export type AccessTokenRefusal =
  | JwtRefusal
  /** The role is not `authenticated`. No signed token acts as `anon`, `service_role` or another role. */
  | 'WRONG_ROLE'
  /** The expiry is later than that of any token that this service issues. */
  | 'TOO_LONG'
  /** The session has ended, does not exist, or belongs to another user. */
  | 'SESSION_ENDED'

/** The tolerated difference between the clocks of two servers. */
const clockSkewSeconds = 60

/**
 * Verifies the signature and that the session is open. The signature alone is not sufficient, so that a stolen key
 * gives no access, and so that a sign-out takes effect immediately. Each call reads the session from the database.
 */
export async function verifyAccessToken(
  auth: AuthContext,
  token: string,
): Promise<Result<AccessToken, AccessTokenRefusal>> {
  const verified = await verifyJwt(token, auth.accessKey, auth.now())
  if (!verified.ok) return verified
  const claims = verified.value
  const { role, exp = 0, sub: userId = '', session_id: sessionId } = claims
  if (role !== 'authenticated') return refused('WRONG_ROLE')
  const latestEnd = auth.now() / 1000 + accessTokenSeconds + clockSkewSeconds
  if (exp > latestEnd) return refused('TOO_LONG')
  const isOpen = typeof sessionId === 'string' && (await isSessionOpen(auth, { userId, sessionId }))
  return isOpen ? accepted({ claims, userId, sessionId }) : refused('SESSION_ENDED')
}
