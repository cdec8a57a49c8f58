import { accepted, refused, type Result } from '../result.ts'
import { type Query, rowsAs } from '@local/postgres'
import { type AuthContext, asAuth, reuseGraceSeconds } from './auth-context.ts'
import { hashToken, nextToken, presentSession, type Session } from './sessions.ts'
import { findUser, isBanned } from './users.ts'

export type RefreshRefusal =
  | 'refresh_token_not_found'
  | 'session_expired'
  | 'user_banned'
  /**
   * The refresh token had been used before. The service ended the whole session, because one of its refresh tokens
   * may be stolen.
   */
  | 'refresh_token_already_used'

type StoredToken = {
  readonly user_id: string
  readonly session_id: string
  readonly ends_at_ms: number
  /**
   * The time at which the token was exchanged for its successor, in milliseconds since 1970; null while the token is
   * unused.
   */
  readonly used_at_ms: number | null
}

/**
 * Exchanges a refresh token for a new access token and a new refresh token. Each refresh token works once. Two tabs that
 * use the same token within `reuseGraceSeconds` receive the same successor.
 */
export function refreshSession(
  context: AuthContext,
  token: string,
): Promise<Result<Session, RefreshRefusal>> {
  return context.database.transaction(asAuth, async (query) => {
    const held = await lockToken(query, token)
    if (!held) return refused('refresh_token_not_found')
    const end = () => query('delete from auth.sessions where id = $1', [held.session_id])
    if (held.ends_at_ms <= context.now()) {
      await end()
      return refused('session_expired')
    }
    const user = await findUser(query, held.user_id)
    if (!user) return refused('refresh_token_not_found')
    if (isBanned(user, context.now())) return refused('user_banned')
    const next = await exchange(context, query, token, held)
    if (next === undefined) {
      await end()
      return refused('refresh_token_already_used')
    }
    return accepted(await presentSession(context, user, held.session_id, next, held.ends_at_ms))
  })
}

/** Reads a refresh token and locks its session, so that concurrent refreshes of one session run one after the other. */
async function lockToken(query: Query, token: string): Promise<StoredToken | undefined> {
  const [session] = await query(
    `select id as session_id from auth.sessions where id =
       (select session_id from auth.refresh_tokens where token = $1) for update`,
    [hashToken(token)],
  )
  return session && readToken(query, token)
}

async function readToken(query: Query, token: string): Promise<StoredToken | undefined> {
  const [held] = rowsAs<StoredToken>(
    await query(
      `select t.user_id, t.session_id,
       coalesce(extract(epoch from s.not_after) * 1000, 9e15)::float8 as ends_at_ms,
       case when t.revoked then coalesce((
         select extract(epoch from successor.created_at) * 1000 from auth.refresh_tokens successor
         where successor.parent = t.token and successor.session_id = t.session_id), 0)
       end::float8 as used_at_ms
     from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id where t.token = $1`,
      [hashToken(token)],
    ),
  )
  return held
}

/** Returns the successor of `token`; undefined when `token` was used more than `reuseGraceSeconds` ago. */
async function exchange(
  context: AuthContext,
  query: Query,
  token: string,
  held: StoredToken,
): Promise<string | undefined> {
  const next = nextToken(context, token)
  if (held.used_at_ms === null) {
    await rotate(context, query, token, next, held)
    return next
  }
  const isRecent = context.now() - held.used_at_ms <= reuseGraceSeconds * 1000
  const successor = isRecent ? await readToken(query, next) : undefined
  if (!successor) return undefined
  // The successor may itself have been used within the grace period. The function then returns the newest successor.
  return successor.used_at_ms === null ? next : exchange(context, query, next, successor)
}

async function rotate(
  context: AuthContext,
  query: Query,
  token: string,
  next: string,
  held: StoredToken,
): Promise<void> {
  await query('update auth.refresh_tokens set revoked = true where token = $1', [hashToken(token)])
  await query(
    `insert into auth.refresh_tokens (token, parent, user_id, session_id, created_at)
     values ($1, $2, $3, $4, to_timestamp($5))`,
    [hashToken(next), hashToken(token), held.user_id, held.session_id, context.now() / 1000],
  )
}
