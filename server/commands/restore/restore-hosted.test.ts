import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Backup, backupEndpoints } from '#contracts/backup.ts'
import { adminMetadata, staffEmail } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { minimalEnvironment } from '#tests/support/app/minimal-environment.ts'
import { type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import { addQuoteRequest } from '#tests/support/backup/quote-request.ts'
import type { TestDatabase } from '#tests/support/database/database.ts'
import { createHostedDatabase, plantSecrets } from '#tests/support/database/hosted-database.ts'

/** The timeout is long, because each site and each command runs in a separate process. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const owner = '00000000-0000-4000-8000-000000000031'

let root: string
let project: TestDatabase
let authService: Server
let site: ServerProcess
/** The environment variables of a site that uses the hosted Supabase project. */
let hosted: Record<string, string>
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'torque-hosted-'))
  mkdirSync(join(root, 'target'))
  project = await createHostedDatabase()
  const email = staffEmail('lena')
  await plantSecrets(project.owner, { id: owner, email, appMetadata: adminMetadata('lena') })
  await project.owner.query(
    `insert into public.staff_accounts (user_id, username, role) values ('${owner}', 'lena', 'owner')`,
  )
  await addQuoteRequest(project.owner, 'Dana')
  // A stand-in for the auth service of the hosted Supabase project. When the site starts, the site sends the roles of
  // the staff accounts to this service.
  authService = createServer((_request, response) => response.end(JSON.stringify({ id: owner })))
  await once(authService.listen(0, '127.0.0.1'), 'listening')
  hosted = {
    DATABASE_URL: project.ownerUrl,
    SUPABASE_URL: `http://127.0.0.1:${(authService.address() as AddressInfo).port}`,
    SUPABASE_ANON_KEY: 'an-anon-key',
    SUPABASE_SERVICE_ROLE_KEY: 'a-service-key',
    BACKUP_URL: pathToFileURL(join(root, 'target')).href,
    DATA_DIR: join(root, 'data'),
  }
  site = await startServer(hosted)
  await vi.waitUntil(hasBackup, { timeout: 60_000, interval: 100 })
})
afterAll(async () => {
  await site.end()
  authService.close()
  await project.drop()
  rmSync(root, { recursive: true, force: true })
})

const hasBackup = () =>
  readdirSync(join(root, 'target'), { recursive: true, encoding: 'utf8' }).some((name) =>
    /manifest-\d+$/.test(name),
  )

function run(command: string, args: readonly string[], environment: Record<string, string>) {
  const options = {
    cwd: join(import.meta.dirname, '../../..'),
    env: { ...minimalEnvironment, ...environment },
  }
  const script = [`server/commands/${command}.ts`, ...args]
  return new Promise<{ status: number; output: string }>((resolve) => {
    execFile(process.execPath, script, options, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
  })
}

async function signIn(url: string, password: string): Promise<Response> {
  return fetch(`${url}/api/admin/login`, {
    method: 'POST',
    body: JSON.stringify({ username: 'lena', password }),
    headers: { 'content-type': 'application/json' },
  })
}

const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

/** Starts a restored shop, sets a password with the command that the restore printed, and signs in. */
async function expectOpens(restored: string, output: string): Promise<void> {
  expect(output).toContain('no owner has a password')
  const [, username = ''] = /npm run admin -- reset (\S+)/.exec(output) ?? []
  const copy = await startServer({ DATA_DIR: restored })
  try {
    expect((await signIn(copy.url, 'any password')).status).toBe(401)
    const reset = await run('admin', ['reset', username], { DATA_DIR: restored })
    const [, password = ''] = /The password is now (\S+)/.exec(reset.output) ?? []
    const signedIn = await signIn(copy.url, password)
    expect(signedIn.status).toBe(200)
    const headers = { cookie: cookieOf(signedIn) }
    const backup = (await (
      await fetch(copy.url + backupEndpoints.read.path, { headers })
    ).json()) as Backup
    expect(backup).toMatchObject({ isHosted: false })
  } finally {
    await copy.end()
  }
}

describe('a site with a hosted Supabase project and BACKUP_URL', () => {
  it('proves with npm run drill that its nightly backup can be restored', async () => {
    const drill = await run('drill', [], hosted)
    expect(drill.output).toMatch(/The backup is proven: \d+ tables/)
    expect(drill.status).toBe(0)
  })

  it('is restored into an embedded database; an owner signs in there after setting a password with npm run admin', async () => {
    const restored = join(root, 'restored')
    const key = join(root, 'data', 'keys', 'backup.key')
    const args = ['--from', hosted['BACKUP_URL'] ?? '', '--key', key]
    const { output, status } = await run('restore', args, { DATA_DIR: restored })
    expect([status, output]).toEqual([0, expect.stringContaining('Restored the shop as it was at')])
    expect(output).toContain('Accounts and roles are the latest ones.')
    await expectOpens(restored, output)
  })

  it('is restored from a file of npm run backup; an owner signs in after setting a password with npm run admin', async () => {
    const file = join(root, 'shop.jsonl.gz')
    expect(await run('backup', [file], hosted)).toMatchObject({ status: 0 })
    const restored = join(root, 'restored-file')
    const { output, status } = await run('restore', [file], { DATA_DIR: restored })
    expect([status, output]).toEqual([0, expect.stringContaining('Restored the shop as of')])
    await expectOpens(restored, output)
  })
})
