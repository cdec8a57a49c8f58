import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import * as z from 'zod/mini'
import { adminPassword, adminUsername } from '#contracts/admin-session.ts'
import type { Result } from '#domain/result.ts'
import { runCommand } from './command.ts'
import type { Config } from './config.ts'
import { openAuth } from './data-service/auth/auth-context.ts'
import type { Admin, AuthGateway } from './features/admin-session/auth-gateway.ts'
import { generatePassword } from './features/admin-session/ensure-admin.ts'
import { openAuthGateway } from './features/admin-session/open-auth-gateway.ts'
import { setAdminPassword } from './features/admin-session/set-admin-password.ts'
import type { Database } from './platform/database.ts'
import { reachDatabase } from './platform/reach-database.ts'
import { StartRefused } from './platform/start-refused.ts'

const usage = `The accounts of the dashboard. The site may be running meanwhile.

  npm run admin -- create   <username>   a further admin; asks for the password
  npm run admin -- password <username>   asks for a new password
  npm run admin -- reset    <username>   makes a new password and shows it

A new password signs that admin out everywhere.`

type Outcome = Result<Admin, keyof typeof refusals>
type Door = { readonly database: Database; readonly gateway: AuthGateway }

const refusals = {
  USERNAME_TAKEN: 'There is an admin of that name already; "password" changes the password.',
  UNKNOWN_USERNAME: 'There is no admin of that name; "create" makes one.',
}

// `npm run admin -- …`: makes admins of the dashboard and gives them new passwords.
await runCommand(async (config) => {
  const [command = '', username = '', ...rest] = process.argv.slice(2)
  const isKnown = ['create', 'password', 'reset'].includes(command)
  if (!isKnown || rest.length > 0 || username === '') throw new StartRefused(usage)
  refuseUnless(adminUsername, username, 'username')
  const password = command === 'reset' ? generatePassword() : await askPassword()
  refuseUnless(adminPassword, password, 'password')
  const outcome = await withGateway(config, (door) =>
    command === 'create'
      ? door.gateway.createAdmin(username, password)
      : setAdminPassword(door, username, password),
  )
  if (!outcome.ok) throw new StartRefused(refusals[outcome.refusal])
  const told = command === 'reset' ? ` The password is now ${password}` : ''
  console.log(`${outcome.value.username} can sign in at /admin-dashboard.${told}`)
})

function refuseUnless(schema: z.ZodMiniType, value: string, what: string): void {
  const checked = z.safeParse(schema, value)
  if (!checked.success) throw new StartRefused(`The ${what} ${checked.error.issues[0]?.message}.`)
}

async function withGateway(
  config: Config,
  work: (door: Door) => Promise<Outcome>,
): Promise<Outcome> {
  const { database, stop } = await reachDatabase(config)
  try {
    const auth = await openAuth({ database, now: Date.now, publicUrl: config.publicUrl })
    return await work({ database, gateway: openAuthGateway(config, auth) })
  } finally {
    await stop()
  }
}

/** Not an argument, because the shell remembers those; typed unseen, or the first line of a pipe. */
async function askPassword(): Promise<string> {
  const isTyped = process.stdin.isTTY
  if (isTyped) process.stdout.write('Password: ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTyped })
  const password = await lines.question('')
  lines.close()
  if (isTyped) process.stdout.write('\n')
  return password
}
