import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Query } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { Admin } from '../gateway/auth-gateway.ts'

const name = 'pending_sign_in'

/** Records, for five minutes, that this browser sent the right password of an account. */
export async function openPendingSignIn(
  { database, publicUrl }: { readonly database: Database; readonly publicUrl: string },
  reply: FastifyReply,
  userId: string,
): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  await database.transaction(asServer, (query) =>
    query('insert into internal.pending_sign_ins (browser_hash, user_id) values ($1, $2)', [
      hash(token),
      userId,
    ]),
  )
  reply.setCookie(name, token, {
    path: '/api/admin/login',
    httpOnly: true,
    sameSite: 'strict',
    secure: publicUrl.startsWith('https:'),
    maxAge: 300,
  })
}

/**
 * Returns the token of a pending sign-in (a sign-in that still needs a code); an empty string when the browser has
 * none.
 */
export const readPendingToken = (request: FastifyRequest): string => request.cookies[name] ?? ''

/**
 * Uses up one of the five code attempts of a pending sign-in, and returns the account that signs in; undefined when the
 * pending sign-in has ended.
 */
export async function takePendingTry(
  database: Database,
  token: string,
): Promise<Admin | undefined> {
  const [row] = await database.transaction(asServer, (query) =>
    query(
      `update internal.pending_sign_ins pending set attempts_left = attempts_left - 1
       from public.staff_accounts account
       where browser_hash = $1 and attempts_left > 0 and expires_at > now()
         and account.user_id = pending.user_id and account.is_active
       returning account.user_id, account.username`,
      [hash(token)],
    ),
  )
  return row && { userId: row.user_id, username: row.username }
}

/** Deletes a pending sign-in. Returns false if another request has already deleted it. */
export async function closePendingSignIn(query: Query, token: string): Promise<boolean> {
  const rows = await query(
    'delete from internal.pending_sign_ins where browser_hash = $1 returning 1',
    [hash(token)],
  )
  return rows.length > 0
}

/** Deletes the pending sign-ins for which nobody entered a right code in time. */
export async function sweepPendingSignIns(database: Database): Promise<void> {
  await database.transaction(asServer, (query) =>
    query('delete from internal.pending_sign_ins where expires_at <= now()'),
  )
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
