import type { Database, Identity } from '@local/postgres'
import { importJwtKey, type JwtKey } from './jwt.ts'
import { createPasswords, type Passwords } from './passwords.ts'

/** The dependencies of the auth service. */
export type AuthContext = {
  readonly database: Database
  readonly now: () => number
  readonly passwords: Passwords
  /** Signs access tokens. */
  readonly accessKey: JwtKey
  /** Derives each refresh token from its predecessor. */
  readonly refreshKey: string
  /** The claim `iss` of access tokens. */
  readonly issuer: string
}

/** The role of the auth service, with access to the schema `auth` only. */
export const asAuth: Identity = { role: 'supabase_auth_admin' }

/** The lifetime of an access token. The end of its session invalidates it earlier. */
export const accessTokenSeconds = 15 * 60

/** The time from the sign-in to the end of the session, independent of refreshes. */
export const sessionSeconds = 14 * 24 * 60 * 60

/**
 * How long a used refresh token is still accepted: two tabs can refresh with the same token at the same moment. A later
 * use of the token counts as theft.
 */
export const reuseGraceSeconds = 10

type Options = {
  readonly database: Database
  /** The secrets that sign access tokens and derive refresh tokens. */
  readonly keys: { readonly accessTokens: string; readonly refreshTokens: string }
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number
  /** The origin of the site; access tokens name it as their issuer. */
  readonly publicUrl: string
  /** How passwords are hashed; scrypt by default. */
  readonly passwords?: Passwords
}

/** Imports the keys and returns the context that the functions of the auth service take. */
export async function openAuth(options: Options): Promise<AuthContext> {
  const { database, keys, now, publicUrl, passwords = createPasswords() } = options
  const accessKey = await importJwtKey(keys.accessTokens)
  const issuer = `${publicUrl}/auth/v1`
  return { database, now, passwords, accessKey, refreshKey: keys.refreshTokens, issuer }
}
