import type { Query } from '@local/postgres'
import { accepted, refused, type Result } from '../result.ts'
import { type AuthContext, asAuth, sessionSeconds } from './auth-context.ts'
import { type Session, startSession } from './sessions.ts'
import {
  findSignInCandidate,
  isBanned,
  recordSignIn,
  type SignInCandidate,
  type User,
} from './users.ts'

export type Credentials = { readonly email: string; readonly password: string }

export type SignInRefusal =
  /**
   * The user is unknown, banned or has no role, or the password is wrong. The service does the same work in all of
   * these cases, so the response time does not reveal which case applies.
   */
  | 'invalid_credentials'
  /** The queue of password checks is full, so the password was not checked. */
  | 'busy'

/**
 * Runs a password check when the queue has capacity; returns `busy` without the check when the queue is full. The queue
 * limits the CPU time and the memory of hashing.
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
export function signIn(
  context: AuthContext,
  credentials: Credentials,
  queue: PasswordQueue,
): Promise<Result<SignedIn, SignInRefusal>> {
  return signInIf(context.maySignIn, context, credentials, queue)
}

/**
 * Checks a password and starts a session, as `signIn` does. For a user who has no role or needs a second factor, the
 * result is the same as for a wrong password.
 */
export function signInByPasswordAlone(
  context: AuthContext,
  credentials: Credentials,
  queue: PasswordQueue,
): Promise<Result<SignedIn, SignInRefusal>> {
  const condition = `(${context.roleOfUser} is not null and not ${context.needsSecondFactor})`
  return signInIf(condition, context, credentials, queue)
}

/**
 * Checks a password and starts a session if `condition` allows it. `condition` is an SQL expression over a row `s` of
 * auth.sessions. Every refusal runs the same statements and computes one hash, even when the password is correct and
 * the condition is false.
 */
async function signInIf(
  condition: string,
  context: AuthContext,
  { email, password }: Credentials,
  queue: PasswordQueue,
): Promise<Result<SignedIn, SignInRefusal>> {
  const { database, passwords, now } = context
  const found = await database.transaction(asAuth, (query) =>
    findSignInCandidate(query, email, condition),
  )
  const stored = found?.encryptedPassword ?? undefined
  const mayEnter = found?.isAllowed === true && !isBanned(found.user, now())
  let newHash: string | null = null
  // The password check runs outside a transaction, because hashing is slow and must not occupy a database connection.
  const isCorrect = await queue(async () => {
    const matches = await passwords.verify(password, stored)
    // The service replaces the hash of an earlier version during the sign-in, because only a sign-in request contains
    // the password.
    if (matches && mayEnter && stored !== undefined && passwords.isOutdated(stored)) {
      newHash = await passwords.hash(password)
    }
    return matches
  })
  if (isCorrect === 'busy') return refused('busy')
  if (!mayEnter || !isCorrect) return refused('invalid_credentials')
  return openSession(condition, context, found, newHash)
}

/** Starts a session. Refuses the sign-in when the user's account changed while the service checked the password. */
function openSession(
  condition: string,
  context: AuthContext,
  { user: { id }, encryptedPassword }: SignInCandidate,
  newHash: string | null,
): Promise<Result<SignedIn, SignInRefusal>> {
  const { database, now } = context
  return database.transaction(asAuth, async (query) => {
    const user = await recordSignIn(query, { id, encryptedPassword, newHash }, now())
    // The user was deleted or banned, or the password was changed, while the service checked the password.
    if (!user || isBanned(user, now())) return refused('invalid_credentials')
    const endsAtMs = now() + sessionSeconds * 1000
    const started = await startSession(context, query, user, endsAtMs)
    if (await isStillAllowed(query, condition, started.sessionId)) {
      return accepted({ user, ...started })
    }
    await query('delete from auth.sessions where id = $1', [started.sessionId])
    return refused('invalid_credentials')
  })
}

/**
 * Returns whether the SQL condition of the sign-in is still true. An administrator may have removed the role, or the
 * user may have set up a second factor, while the service checked the password.
 */
async function isStillAllowed(
  query: Query,
  condition: string,
  sessionId: string,
): Promise<boolean> {
  const [row] = await query.unchecked<{ is_allowed: boolean | null }>(
    `select ${condition} as is_allowed from auth.sessions s where s.id = $1`,
    [sessionId],
  )
  return row?.is_allowed === true
}
