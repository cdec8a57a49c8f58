import { accepted, refused, type Result } from '../result.ts'
import { type AuthContext, accessTokenSeconds } from './auth-context.ts'
import { type Claims, type JwtRefusal, verifyJwt } from './jwt.ts'
import { findSessionRole } from './sessions.ts'

/** A valid access token of a signed-in user. */
export type AccessToken = {
  readonly claims: Claims
  readonly userId: string
  readonly sessionId: string
  /** The database role of the request. */
  readonly role: string
}

export type AccessTokenRefusal =
  | JwtRefusal
  /**
   * The role in the token is not `authenticated`. No signed token may act as `anon`, `service_role` or another role.
   */
  | 'WRONG_ROLE'
  /** The token expires later than any token that the auth service issues. */
  | 'TOO_LONG'
  /** The session of the token has ended, does not exist, or belongs to another user, or its user has no role. */
  | 'SESSION_ENDED'

/** The tolerated difference between the clocks of two servers, in seconds. */
const clockSkewSeconds = 60

/**
 * Verifies the signature of a token and reads from the database whether the session of the token is open. A check of
 * the signature alone would accept tokens that an attacker signs with a stolen key, and tokens of signed-out sessions.
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
  if (typeof sessionId !== 'string') return refused('SESSION_ENDED')
  const databaseRole = await findSessionRole(auth, { userId, sessionId })
  if (databaseRole === undefined) return refused('SESSION_ENDED')
  return accepted({ claims, userId, sessionId, role: databaseRole })
}
