import { accepted, refused, type Result } from '#domain/result.ts'
import { type AuthContext, accessTokenSeconds } from './auth-context.ts'
import { type Claims, type JwtRefusal, verifyJwt } from './jwt.ts'
import { isSessionOpen } from './sessions.ts'

/** What a valid access token says: it is always that of a signed-in user. */
export type AccessToken = {
  readonly claims: Claims
  readonly userId: string
  readonly sessionId: string
}

export type AccessTokenRefusal =
  | JwtRefusal
  /** Only users sign in here: no signed token is a visitor, the service role or anybody else. */
  | 'WRONG_ROLE'
  /** Its end is later than that of any token we make. */
  | 'TOO_LONG'
  /** The session has ended, was never there, or is another user's. */
  | 'SESSION_ENDED'

/** How far the clocks of two machines of one shop may be apart. */
const clockSkewSeconds = 60

/**
 * The signature alone opens nothing: who stole the key lacks a session that is open. One look-up for requests of
 * staff, so that signing out takes effect at once.
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
