import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { adminPassword, adminUsername } from '#contracts/admin-session.ts'
import { refused, type Result } from '#domain/result.ts'
import { type Config, readConfig } from '#server/config.ts'
import { openAuth } from '#server/data-service/auth/auth-context.ts'
import type { Admin, AuthGateway } from '#server/features/admin-session/auth-gateway.ts'
import { generatePassword } from '#server/features/admin-session/ensure-admin.ts'
import { openAuthGateway } from '#server/features/admin-session/open-auth-gateway.ts'
import { setAdminPassword } from '#server/features/admin-session/set-admin-password.ts'
import type { Database } from '#server/platform/database.ts'
import { reachDatabase } from '#server/platform/reach-database.ts'
import { StartRefused } from '#server/platform/start-refused.ts'
import * as z from 'zod/mini'

const usage = `The accounts of the dashboard. The site may be running meanwhile.

  npm run admin -- create   <username>   a further admin; asks for the password
  npm run admin -- password <username>   asks for a new password
  npm run admin -- reset    <username>   makes a new password and shows it

A new password signs that admin out everywhere.`

type Outcome = Result<Admin, 'USERNAME_TAKEN' | 'UNKNOWN_USERNAME'>
type Door = { readonly database: Database; readonly gateway: AuthGateway }

if (existsSync('.env')) process.loadEnvFile('.env')
process.exitCode = await run(process.argv.slice(2))

async function run([command = '', username = '', ...rest]: readonly string[]): Promise<number> {
  const isKnown = ['create', 'password', 'reset'].includes(command)
  if (!isKnown || rest.length > 0 || username === '') return complain(usage)
  const name = z.safeParse(adminUsername, username)
  if (!name.success) return complain(`The username ${name.error.issues[0]?.message}.`)
  const config = readConfig(process.env)
  if (!config.ok) return complain(config.refusal.join('\n'))
  const password = command === 'reset' ? generatePassword() : await askPassword()
  const checked = z.safeParse(adminPassword, password)
  if (!checked.success) return complain(`The password ${checked.error.issues[0]?.message}.`)
  const outcome = await withGateway(config.value, (door) =>
    command === 'create'
      ? door.gateway.createAdmin(username, password)
      : setAdminPassword(door, username, password),
  )
  if (!outcome.ok) return complain(outcome.refusal)
  const told = command === 'reset' ? ` The password is now ${password}` : ''
  console.log(`${outcome.value.username} can sign in at /admin-dashboard.${told}`)
  return 0
}

async function withGateway(
  config: Config,
  work: (door: Door) => Promise<Outcome>,
): Promise<Result<Admin, string>> {
  const reached = await reachDatabase(config).catch(asRefusal)
  if (reached instanceof StartRefused) return refused(reached.message)
  const { database, stop } = reached
  try {
    const auth = await openAuth({ database, now: Date.now, publicUrl: config.publicUrl })
    const outcome = await work({ database, gateway: openAuthGateway(config, auth) })
    if (outcome.ok) return outcome
    return refused(
      outcome.refusal === 'USERNAME_TAKEN'
        ? 'There is an admin of that name already; "password" changes the password.'
        : 'There is no admin of that name; "create" makes one.',
    )
  } finally {
    await stop()
  }
}

function asRefusal(error: unknown): StartRefused {
  if (error instanceof StartRefused) return error
  throw error
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

function complain(words: string): number {
  console.error(words)
  return 1
}
