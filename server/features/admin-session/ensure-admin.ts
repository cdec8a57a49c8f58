import { randomInt } from 'node:crypto'
import type { AuthGateway } from './auth-gateway.ts'

export type EnsuredAdmin = {
  readonly username: string
  /** Shown once and kept nowhere; undefined when the owner chose the password. */
  readonly generatedPassword: string | undefined
}

/**
 * Creates the first admin where there is none, with the configured password or a generated one.
 * Returns undefined when an admin exists already: the settings are for the first start only, so that
 * an old password in a file cannot come back. `npm run admin` changes it later.
 */
export async function ensureAdmin(
  gateway: AuthGateway,
  { username, password }: { readonly username: string; readonly password: string | undefined },
): Promise<EnsuredAdmin | undefined> {
  if (await gateway.hasAdmin()) return undefined
  const generatedPassword = password === undefined ? generatePassword() : undefined
  const created = await gateway.createAdmin(username, password ?? generatedPassword ?? '')
  // Another process that started at the same moment was first, and tells its own password.
  return created.ok ? { username, generatedPassword } : undefined
}

/** 100 bits in five groups of four, without letters that look like others. */
export function generatePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789AB'.slice(0, 32)
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(32)]).join('')
  return Array.from({ length: 5 }, group).join('-')
}
