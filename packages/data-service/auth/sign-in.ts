import { accepted, refused, type Result } from '#domain/result.ts'
import { QueueFullError } from '#server/platform/queue/work-queue.ts'
import { type AuthContext, asAuth, sessionSeconds } from './auth-context.ts'
import type { PasswordQueue } from './password-queues.ts'
import { type Session, startSession } from './sessions.ts'
import { findUserByEmail, isBanned, recordSignIn, type User } from './users.ts'

export type Credentials = { readonly email: string; readonly password: string }

export type SignInRefusal =
  /** Unknown user, wrong password and blocked user, at one price. */
  | 'invalid_credentials'
  /** Too many passwords are waiting to be checked; this one was not looked at. */
  | 'busy'

export type SignedIn = {
  readonly user: User
  readonly sessionId: string
  readonly session: Session
}

/** Checks a password and starts a session. The caller limits how often it may be tried. */
export async function signIn(
  context: AuthContext,
  { email, password }: Credentials,
  queue: PasswordQueue,
): Promise<Result<SignedIn, SignInRefusal>> {
  const { database, passwords, queues, now } = context
  const found = await database.transaction(asAuth, (query) => findUserByEmail(query, email))
  // Outside any transaction: the hash takes a while, and a connection is dear.
  const isCorrect = await queues[queue](() =>
    passwords.verify(password, found?.encryptedPassword ?? undefined),
  ).catch(undefinedWhenBusy)
  if (isCorrect === undefined) return refused('busy')
  if (!found || !isCorrect) return refused('invalid_credentials')
  return database.transaction(asAuth, async (query) => {
    const checked = { id: found.user.id, encryptedPassword: found.encryptedPassword }
    const user = await recordSignIn(query, checked, now())
    // Removed, blocked, or given a new password while the old one was being checked.
    if (!user || isBanned(user, now())) return refused('invalid_credentials')
    const endsAtMs = now() + sessionSeconds * 1000
    return accepted({ user, ...(await startSession(context, query, user, endsAtMs)) })
  })
}

function undefinedWhenBusy(error: unknown): undefined {
  if (!(error instanceof QueueFullError)) throw error
}
