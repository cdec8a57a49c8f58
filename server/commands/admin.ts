import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { adminUsername } from '#contracts/admin-username.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { promptHidden, confirm } from './ask-owner.ts'
import { runCommand } from './command.ts'
import type { Config } from '#server/config.ts'
import { openAuth } from '@local/data-service'
import type { Admin, AuthGateway } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { findPasswordProblem } from '#server/features/admin-session/accounts/password-problem.ts'
import { generatePassword } from '#server/features/admin-session/accounts/generate-password.ts'
import { openAuthGateway } from '#server/features/admin-session/gateway/open-auth-gateway.ts'
import { createStaffAccount } from '#server/features/admin-session/accounts/create-staff-account.ts'
import { removeStaffAccount } from '#server/features/admin-session/accounts/remove-staff-account.ts'
import { setAdminPassword } from '#server/features/admin-session/accounts/set-admin-password.ts'
import {
  codeMinutes,
  issueSignInCode,
} from '#server/features/admin-session/sign-in/sign-in-codes.ts'
import { type Database, StartupError } from '@local/postgres'
import { keySettings } from '#server/key-settings.ts'
import { openKeys } from '#server/platform/keys/open-keys.ts'
import { connectCommand } from '#server/platform/database/connect-command.ts'

const usage = `Manages the accounts of the dashboard, also while the site runs.

  npm run admin -- create   <username>   adds an owner; asks for the password
  npm run admin -- password <username>   asks for a new password
  npm run admin -- reset    <username>   makes a new password and shows it
  npm run admin -- code     <username>   shows a code that signs in once instead of the password
  npm run admin -- remove   <username>   removes the account; asks first, --yes does not

A new password or a removal signs that admin out everywhere. Use a code when the sign-in says "too many
attempts". The last owner cannot be removed.`

type AdminContext = { readonly database: Database; readonly gateway: AuthGateway }
type Refusal = keyof typeof refusals
/** Performs a subcommand after the owner has answered its prompts. Resolves to the sentence that the command prints. */
type Work = (context: AdminContext) => Promise<Result<string, Refusal>>
type Flags = { readonly yes: boolean }

const refusals = {
  USERNAME_TAKEN:
    'There is already an admin with this name. The command "password" changes the password.',
  UNKNOWN_USERNAME: 'There is no admin with this name. The command "create" creates one.',
  LAST_OWNER: 'No owner could sign in after the removal. Add another owner with "create" first.',
}

const commands: Readonly<Record<string, (username: string, flags: Flags) => Promise<Work> | Work>> =
  {
    async create(username) {
      const password = await promptPassword()
      return async (context) =>
        describeOutcome(
          await createStaffAccount(context, { username, password, role: 'owner' }),
          canSignIn,
        )
    },
    async password(username) {
      const password = await promptPassword()
      return async (context) =>
        describeOutcome(await setAdminPassword(context, username, password), canSignIn)
    },
    reset(username) {
      const password = generatePassword()
      return async (context) =>
        describeOutcome(
          await setAdminPassword(context, username, password),
          (admin) => `${canSignIn(admin)} The password is now ${password}`,
        )
    },
    code: (username) => (context) => makeCode(context, username),
    async remove(username, { yes }) {
      if (!yes) await confirm(`Remove the admin ${username}?`)
      return async (context) =>
        describeOutcome(
          await removeStaffAccount(context, username),
          () => `${username} is removed and signed out everywhere.`,
        )
    },
  }

// `npm run admin -- …` creates owner accounts, removes accounts, sets passwords, and creates sign-in codes.
await runCommand(async (config) => {
  const { command, username, flags } = readArguments()
  refuseUnless(adminUsername, username, 'username')
  const work = await command(username, flags)
  const outcome = await withContext(config, work)
  if (!outcome.ok) throw new StartupError(refusals[outcome.refusal])
  console.log(outcome.value)
})

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        yes: { type: 'boolean', default: false },
      },
    })
    const [name = '', username, ...rest] = positionals
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (
      command &&
      username !== undefined &&
      rest.length === 0 &&
      (name === 'remove' || !values.yes)
    ) {
      return { command, username, flags: values }
    }
  } catch {
    // An unknown option makes `parseArgs` throw. The command then prints its usage, which lists the valid options.
  }
  throw new StartupError(usage)
}

function refuseUnless(schema: z.ZodMiniType, value: string, what: string): void {
  const checked = z.safeParse(schema, value)
  if (!checked.success)
    throw new StartupError(`The ${what} is invalid: it ${checked.error.issues[0]?.message}.`)
}

async function withContext(config: Config, work: Work): Promise<Result<string, Refusal>> {
  const { database, ownerUrl, stop } = await connectCommand(config)
  try {
    const keys = await openKeys(keySettings({ ownerUrl }, config))
    const auth = await openAuth({ database, keys, now: Date.now, publicUrl: config.publicUrl })
    return await work({ database, gateway: openAuthGateway(config, auth) })
  } finally {
    await stop()
  }
}

async function makeCode(
  { database, gateway }: AdminContext,
  username: string,
): Promise<Result<string, Refusal>> {
  const admin = await gateway.findAdmin(username)
  if (!admin) return refused('UNKNOWN_USERNAME')
  const code = await issueSignInCode(database, admin, Date.now())
  return accepted(
    `To sign in once at /admin-dashboard as ${admin.username}, enter this code instead of the password within ${codeMinutes} minutes: ${code}`,
  )
}

function describeOutcome(
  outcome: Result<Admin, Refusal>,
  sentence: (admin: Admin) => string,
): Result<string, Refusal> {
  return outcome.ok ? accepted(sentence(outcome.value)) : outcome
}

function canSignIn({ username }: Admin): string {
  return `${username} can sign in at /admin-dashboard.`
}

async function promptPassword(): Promise<string> {
  const password = await promptHidden('Password')
  const problem = await findPasswordProblem(password)
  if (problem)
    throw new StartupError(`The password is not allowed: it ${problem}. Choose another password.`)
  return password
}
