import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Query } from '@local/postgres'
import { type AuthContext, accessTokenSeconds, asAuth } from './auth-context.ts'
import { signJwt } from './jwt.ts'
import { presentUser, type User } from './users.ts'

/** The response to a sign-in or a refresh, with the field names of GoTrue's protocol. */
export type Session = {
  readonly access_token: string
  readonly token_type: 'bearer'
  /** The remaining lifetime of the access token, in seconds. */
  readonly expires_in: number
  /** The expiry of the access token, in seconds since 1970. */
  readonly expires_at: number
  readonly refresh_token: string
  readonly user: object
}

/** Starts a session of `user`. The session ends at `endsAtMs` (milliseconds since 1970) or earlier. */
export async function startSession(
  context: AuthContext,
  query: Query,
  user: User,
  endsAtMs: number,
): Promise<{ sessionId: string; session: Session }> {
  const [row] = await query(
    `insert into auth.sessions (user_id, created_at, not_after)
     values ($1, to_timestamp($2), to_timestamp($3)) returning id`,
    [user.id, context.now() / 1000, endsAtMs / 1000],
  )
  if (!row) throw new Error('The session was not stored')
  const refreshToken = randomBytes(32).toString('base64url')
  await query(
    `insert into auth.refresh_tokens (token, user_id, session_id, created_at)
     values ($1, $2, $3, to_timestamp($4))`,
    [hashToken(refreshToken), user.id, row.id, context.now() / 1000],
  )
  return {
    sessionId: row.id,
    session: await presentSession(context, user, row.id, refreshToken, endsAtMs),
  }
}

/** Signs an access token, which expires no later than its session. */
export async function presentSession(
  context: AuthContext,
  user: User,
  sessionId: string,
  refreshToken: string,
  endsAtMs: number,
): Promise<Session> {
  const issuedAt = Math.floor(context.now() / 1000)
  const expiresAt = Math.min(issuedAt + accessTokenSeconds, Math.floor(endsAtMs / 1000))
  const claims = {
    iss: context.issuer,
    sub: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    iat: issuedAt,
    exp: expiresAt,
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    session_id: sessionId,
    is_anonymous: false,
  }
  return {
    access_token: await signJwt(claims, context.accessKey),
    token_type: 'bearer',
    expires_in: expiresAt - issuedAt,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: presentUser(user),
  }
}

/**
 * Returns the database role for the requests of a session. Returns undefined if the session does not exist or has
 * ended, or if its user is banned or has no role; the access tokens of the session are then invalid.
 */
export async function findSessionRole(
  { database, now, roleOfUser }: AuthContext,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
): Promise<string | undefined> {
  if (![userId, sessionId].every((id) => /^[0-9a-f-]{36}$/.test(id))) return undefined
  return database.transaction(asAuth, async (query) => {
    const [row] = await query.unchecked<{ role: string | null }>(
      `select ${roleOfUser} as role from auth.sessions s join auth.users u on u.id = s.user_id
       where s.id = $1 and s.user_id = $3 and s.not_after > to_timestamp($2)
         and (u.banned_until is null or u.banned_until <= to_timestamp($2))`,
      [sessionId, now() / 1000, userId],
      'find session',
    )
    return row?.role ?? undefined
  })
}

/**
 * The sessions of a user that a sign-out ends, as in GoTrue's protocol: `global` (all sessions), `local` (the session of
 * the request) or `others` (all other sessions).
 */
export type SignOutScope = 'global' | 'local' | 'others'

/** Deletes sessions and their refresh tokens; access tokens of a deleted session are invalid. */
export async function endSessions(
  context: AuthContext,
  { userId, sessionId, scope }: { userId: string; sessionId: string; scope: SignOutScope },
): Promise<void> {
  await context.database.transaction(asAuth, (query) => {
    switch (scope) {
      case 'global':
        return query('delete from auth.sessions where user_id = $1', [userId])
      case 'local':
        return query('delete from auth.sessions where user_id = $1 and id = $2', [
          userId,
          sessionId,
        ])
      case 'others':
        return query('delete from auth.sessions where user_id = $1 and id <> $2', [
          userId,
          sessionId,
        ])
    }
  })
}

/** Deletes the sessions that have ended. The process that mounts the auth service calls this function regularly. */
export async function sweepSessions(context: AuthContext): Promise<void> {
  await context.database.transaction(asAuth, (query) =>
    query('delete from auth.sessions where not_after <= to_timestamp($1)', [context.now() / 1000]),
  )
}

/** Hashes a refresh token for the database. The hash needs no salt, because the token has 256 random bits. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/**
 * Returns the successor of a refresh token. The successor is computed from the token and is not random. Two tabs that
 * refresh with the same token therefore receive the same successor, although the database stores only hashes.
 */
export function nextToken(context: AuthContext, token: string): string {
  return createHmac('sha256', context.refreshKey).update(token).digest('base64url')
}
