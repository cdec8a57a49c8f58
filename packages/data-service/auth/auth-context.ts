import type { Database, Identity } from '@local/postgres'
import { importJwtKey, type JwtKey } from './jwt.ts'
import { createPasswords, type Passwords } from './passwords.ts'

/** The dependencies of the auth service. */
export type AuthContext = {
  readonly database: Database
  readonly now: () => number
  readonly passwords: Passwords
  /** The key that signs access tokens. */
  readonly accessKey: JwtKey
  /** The key from which the service derives the successor of each refresh token. */
  readonly refreshKey: string
  /** The value of the claim `iss` (issuer) in access tokens. */
  readonly issuer: string
  /** The SQL expression that returns the database role for requests of a sign-in session; see `Options`. */
  readonly roleOfUser: string
  /** The SQL expression that is true when a user may sign in; see `Options`. */
  readonly maySignIn: string
  /** The SQL expression that is true when a user needs a second factor to sign in; see `Options`. */
  readonly needsSecondFactor: string
}

/** The database role of the auth service, which has access to the schema `auth` only. */
export const asAuth: Identity = { role: 'supabase_auth_admin' }

/** The lifetime of an access token in seconds. A token is also invalid once its session has ended. */
export const accessTokenSeconds = 15 * 60

/** The lifetime of a session in seconds from the sign-in; refreshes do not extend this lifetime. */
export const sessionSeconds = 14 * 24 * 60 * 60

/**
 * The seconds for which a used refresh token is still accepted, because two tabs can refresh with the same token at
 * the same moment. A later use of the token counts as theft.
 */
export const reuseGraceSeconds = 10

type Options = {
  readonly database: Database
  /** The secrets that sign access tokens and derive refresh tokens. */
  readonly keys: { readonly accessTokens: string; readonly refreshTokens: string }
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number
  /** The origin of the site, which access tokens contain as their issuer (claim `iss`). */
  readonly publicUrl: string
  /**
   * The SQL expression that returns the database role (text) for requests of a sign-in session `s` (a row of
   * auth.sessions), or null to refuse these requests: `public.role_of(s.user_id)`. The service evaluates the expression
   * for each request, so a changed role applies to access tokens that were issued before. By default every user has the
   * role `authenticated`.
   */
  readonly roleOfUser?: string
  /**
   * The SQL expression (boolean) that is true when `signIn` may open a session of the user `s.user_id` (uuid). By default
   * every user with a role may sign in. The service refuses every request of a session without a role.
   */
  readonly maySignIn?: string
  /**
   * The SQL expression (boolean) that is true when the user `s.user_id` (uuid) needs a second factor besides the
   * password. For this user, the password grant returns the same error as for a wrong password, because the protocol of
   * the auth service has no second step.
   */
  readonly needsSecondFactor?: string
  /** Hashes and checks passwords; Argon2id by default. */
  readonly passwords?: Passwords
}

/** Imports the keys and returns the context, which the functions of the auth service take as their argument. */
export async function openAuth(options: Options): Promise<AuthContext> {
  const { database, keys, now, publicUrl, passwords = createPasswords() } = options
  const { roleOfUser = `'authenticated'`, needsSecondFactor = 'false' } = options
  const { maySignIn = `(${roleOfUser} is not null)` } = options
  const accessKey = await importJwtKey(keys.accessTokens)
  const issuer = `${publicUrl}/auth/v1`
  const refreshKey = keys.refreshTokens
  const conditions = { roleOfUser, maySignIn, needsSecondFactor }
  return { database, now, passwords, accessKey, refreshKey, issuer, ...conditions }
}
