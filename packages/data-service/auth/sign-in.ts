import type { Query } from '@local/postgres'
import { accepted, refused, type Result } from '../result.ts'
import { type AuthContext, asAuth, sessionSeconds } from './auth-context.ts'
import { type Session, startSession } from './sessions.ts'
import { findUserByEmail, isBanned, recordSignIn, type User } from './users.ts'

export type Credentials = { readonly email: string; readonly password: string }

export type SignInRefusal =
  /** The user is unknown, banned or has no role, or the password is wrong. All responses take the same time. */
  | 'invalid_credentials'
  /** The queue of password checks is full, so the password was not checked. */
  | 'busy'

/**
 * Runs a password check when the queue has capacity; returns `busy` without running it when the queue is full. The
 * queue limits the CPU time and the memory of hashing.
 */
export type PasswordQueue = (check: () => Promise<boolean>) => Promise<boolean | 'busy'>

/** The wait in seconds that the response suggests when the queue is full. */
export const busyRetrySeconds = 5

export type SignedIn = {
  readonly user: User
  readonly sessionId: string
  readonly session: Session
}

/** Checks a password and starts a session. The calling code must limit the number of attempts. */
export async function signIn(
  context: AuthContext,
  { email, password }: Credentials,
  queue: PasswordQueue,
): Promise<Result<SignedIn, SignInRefusal>> {
  const { database, passwords, now } = context
  const found = await database.transaction(asAuth, (query) => findUserByEmail(query, email))
  const stored = found?.encryptedPassword ?? undefined
  let newHash: string | null = null
  // Runs outside a transaction, because hashing is slow and must not occupy a database connection.
  const isCorrect = await queue(async () => {
    const matches = await passwords.verify(password, stored)
    // The hash of an earlier version is replaced now, because only a sign-in has the password.
    if (matches && stored !== undefined && passwords.isOutdated(stored)) {
      newHash = await passwords.hash(password)
    }
    return matches
  })
  if (isCorrect === 'busy') return refused('busy')
  if (!found || !isCorrect) return refused('invalid_credentials')
  return database.transaction(asAuth, async (query) => {
    const checked = { id: found.user.id, encryptedPassword: found.encryptedPassword, newHash }
    const user = await recordSignIn(query, checked, now())
    // While the password was checked, the user was deleted or banned, or the password was changed.
    if (!user || isBanned(user, now())) return refused('invalid_credentials')
    const endsAtMs = now() + sessionSeconds * 1000
    const started = await startSession(context, query, user, endsAtMs)
    if (await hasRole(context, query, started.sessionId)) return accepted({ user, ...started })
    await query('delete from auth.sessions where id = $1', [started.sessionId])
    return refused('invalid_credentials')
  })
}

/** Whether the user of a session has a role in the database; one without a role cannot do anything with the session. */
async function hasRole({ roleOfUser }: AuthContext, query: Query, id: string): Promise<boolean> {
  const [row] = await query.unchecked<{ role: string | null }>(
    `select ${roleOfUser} as role from auth.sessions where id = $1`,
    [id],
  )
  return (row?.role ?? null) !== null
}

/** Checks a password as `signIn` does, and refuses a user whose password is not enough like one with a wrong password. */
export async function signInByPasswordAlone(
  context: AuthContext,
  credentials: Credentials,
  queue: PasswordQueue,
): Promise<Result<SignedIn, SignInRefusal>> {
  const outcome = await signIn(context, credentials, queue)
  if (!outcome.ok) return outcome
  const isEnough = await context.database.transaction(asAuth, async (query) => {
    const [row] = await query.unchecked<{ ended: number }>(
      `delete from auth.sessions where id = $1 and ${context.needsSecondFactor} returning 1 as ended`,
      [outcome.value.sessionId],
    )
    return row === undefined
  })
  return isEnough ? outcome : refused('invalid_credentials')
}
