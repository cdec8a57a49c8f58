import type { Config } from '#server/config.ts'
import { createPasswords, openAuth, type Passwords } from '@local/data-service'
import type { StaffRole } from '#contracts/staff-accounts.ts'
import { type Database, rowsAs, StartupError } from '@local/postgres'
import type { ShopKeys } from '#server/platform/keys/open-keys.ts'
import { generatePassword } from './generate-password.ts'
import { findPasswordProblem } from './password-problem.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { createStaffAccount } from './create-staff-account.ts'
import { recordFirstPassword } from '../sign-in/record-first-password.ts'
import type { AuthGateway } from '../gateway/auth-gateway.ts'
import { openAuthGateway } from '../gateway/open-auth-gateway.ts'

export type EnsuredAdmin = {
  readonly username: string
  /** The generated password, which is shown once and never stored; undefined when the owner configured the password. */
  readonly generatedPassword: string | undefined
}

/**
 * Creates the first owner with the configured or a generated password. Returns undefined when an owner already
 * exists: the settings apply to the first start only, so that an old password in a settings file cannot become valid
 * again. `npm run admin` changes the password later. Tests pass a cheaper password hash.
 */
export async function ensureAdmin(
  { database, keys }: { readonly database: Database; readonly keys: ShopKeys },
  config: Config,
  passwords: Passwords = createPasswords(),
): Promise<EnsuredAdmin | undefined> {
  const { publicUrl } = config
  const auth = await openAuth({ database, keys, now: Date.now, publicUrl, passwords })
  const gateway = openAuthGateway(config, auth)
  if (config.hosted) await recordRoles(database, gateway)
  if (await hasOwner(database)) return undefined
  const { username, password } = config.admin
  // The password is checked only when the first owner is created. The settings of a shop in use may still contain an
  // old password, which has no effect.
  const problem = password === undefined ? undefined : await findPasswordProblem(password)
  if (problem) throw new StartupError(`ADMIN_PASSWORD: ${problem}`)
  const generatedPassword = password === undefined ? generatePassword() : undefined
  const created = await createStaffAccount(
    { database, gateway },
    { username, password: password ?? generatedPassword ?? '', role: 'owner' },
  )
  // Another process that started at the same time created the owner and prints the password.
  if (!created.ok) return undefined
  await recordFirstPassword(database, generatedPassword !== undefined)
  return { username, generatedPassword }
}

async function hasOwner(database: Database): Promise<boolean> {
  const [row] = await database.transaction(asServer, (query) =>
    query('select internal.has_owner() as exists'),
  )
  return row?.exists === true
}

/**
 * Sends the role of each active staff account to the auth service of a hosted Supabase project, because the access
 * tokens of the service contain the role.
 */
async function recordRoles(database: Database, gateway: AuthGateway): Promise<void> {
  const accounts = rowsAs<{ user_id: string; role: StaffRole }>(
    await database.transaction(asServer, (query) =>
      query('select user_id, role from public.staff_accounts where is_active'),
    ),
  )
  for (const { user_id: userId, role } of accounts) await gateway.recordRole(userId, role)
}
