import type { Database, Identity } from '@local/postgres'
import type { ShopKeys } from '#server/platform/keys/open-keys.ts'
import { importJwtKey, type JwtKey } from './jwt.ts'
import { createPasswordQueues, type PasswordQueues } from './password-queues.ts'
import { createPasswords, type Passwords } from './passwords.ts'

/** What the auth service works with. */
export type AuthContext = {
  readonly database: Database
  readonly now: () => number
  readonly passwords: Passwords
  /** Bounds what checking passwords may take of the machine. */
  readonly queues: PasswordQueues
  /** Signs access tokens. */
  readonly accessKey: JwtKey
  /** Makes the next refresh token out of the one before. */
  readonly refreshKey: string
  /** The `iss` of access tokens. */
  readonly issuer: string
}

/** Reaches the schema `auth` and nothing else. */
export const asAuth: Identity = { role: 'supabase_auth_admin' }

/** An access token is believed this long; a session that was ended is refused earlier. */
export const accessTokenSeconds = 15 * 60

/** A session ends this long after the sign-in, however often it was refreshed. */
export const sessionSeconds = 14 * 24 * 60 * 60

/** Two tabs that refresh at the same moment both hold the old token; later it counts as stolen. */
export const reuseGraceSeconds = 10

type Options = {
  readonly database: Database
  readonly keys: Pick<ShopKeys, 'accessTokens' | 'refreshTokens'>
  readonly now: () => number
  readonly publicUrl: string
  readonly passwords?: Passwords
}

export async function openAuth(options: Options): Promise<AuthContext> {
  const { database, keys, now, publicUrl, passwords = createPasswords() } = options
  const accessKey = await importJwtKey(keys.accessTokens)
  const issuer = `${publicUrl}/auth/v1`
  const queues = createPasswordQueues()
  return { database, now, passwords, queues, accessKey, refreshKey: keys.refreshTokens, issuer }
}
