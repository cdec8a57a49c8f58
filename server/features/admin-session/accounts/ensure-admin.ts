import type { Config } from '#server/config.ts'
import { openAuth } from '#packages/data-service/auth/auth-context.ts'
import { createPasswords, type Passwords } from '#packages/data-service/auth/passwords.ts'
import type { Database } from '#packages/postgres/database.ts'
import type { ShopKeys } from '#server/platform/keys/open-keys.ts'
import { generatePassword } from './generate-password.ts'
import { recordFirstPassword } from '../sign-in/record-first-password.ts'
import { openAuthGateway } from '../gateway/open-auth-gateway.ts'

export type EnsuredAdmin = {
  readonly username: string
  /** Shown once and kept nowhere; undefined when the owner chose the password. */
  readonly generatedPassword: string | undefined
}

/**
 * Creates the first admin where there is none, with the configured password or a generated one.
 * Returns undefined when an admin exists already: the settings are for the first start only, so that
 * an old password in a file cannot come back. `npm run admin` changes it later. Tests keep passwords in a cheaper way.
 */
export async function ensureAdmin(
  { database, keys }: { readonly database: Database; readonly keys: ShopKeys },
  config: Config,
  passwords: Passwords = createPasswords(),
): Promise<EnsuredAdmin | undefined> {
  const { publicUrl } = config
  const auth = await openAuth({ database, keys, now: Date.now, publicUrl, passwords })
  const gateway = openAuthGateway(config, auth)
  if (await gateway.hasAdmin()) return undefined
  const { username, password } = config.admin
  const generatedPassword = password === undefined ? generatePassword() : undefined
  const created = await gateway.createAdmin(username, password ?? generatedPassword ?? '')
  // Another process that started at the same moment was first, and tells its own password.
  if (!created.ok) return undefined
  await recordFirstPassword(database, generatedPassword !== undefined)
  return { username, generatedPassword }
}
