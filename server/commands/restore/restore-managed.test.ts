import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Backup, backupEndpoints } from '#contracts/backup.ts'
import { minimalEnvironment } from '#tests/support/app/minimal-environment.ts'
import { type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import { addQuoteRequest } from '#tests/support/backup/quote-request.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'

/** The timeout is long, because each site and each command runs in a separate process. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const password = 'correct horse battery'

let root: string
let target: string
let managed: TestDatabase
let site: ServerProcess
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'torque-managed-'))
  mkdirSync(join(root, 'target'))
  target = pathToFileURL(join(root, 'target')).href
  managed = await createTestDatabase()
  await addQuoteRequest(managed.owner, 'Dana')
  site = await startServer({
    DATABASE_URL: managed.ownerUrl,
    DATA_DIR: join(root, 'data'),
    BACKUP_URL: target,
    ADMIN_PASSWORD: password,
  })
})
afterAll(async () => {
  await site.end()
  await managed.drop()
  rmSync(root, { recursive: true, force: true })
})

function runRestore(dataDirectory: string, ...args: string[]) {
  // DATABASE_URL still names the original shop's database. The restore fills an embedded database instead.
  const env = { ...minimalEnvironment, DATA_DIR: dataDirectory, DATABASE_URL: managed.ownerUrl }
  const options = { cwd: join(import.meta.dirname, '../../..'), env }
  const command = ['server/commands/restore.ts', '--from', target, ...args]
  return new Promise<{ status: number; output: string }>((resolve) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
  })
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/admin/login`, {
    method: 'POST',
    body: JSON.stringify({ username: 'admin', password }),
    headers: { 'content-type': 'application/json' },
  })
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0])
  return cookies.join('; ')
}

const readBackup = async (url: string, cookie: string) =>
  (await (await fetch(url + backupEndpoints.read.path, { headers: { cookie } })).json()) as Backup

const waitUntil = (isTrue: () => boolean | Promise<boolean>) =>
  vi.waitUntil(isTrue, { timeout: 60_000, interval: 250 })

describe('a site with a managed database', () => {
  it('makes a backup at the first start, which a restore drill proves; the dashboard and the health check show the result', async () => {
    const objects = () => readdirSync(join(root, 'target'), { recursive: true, encoding: 'utf8' })
    await waitUntil(() => objects().some((name) => /manifest-\d+$/.test(name)))
    const cookie = await signIn(site.url)
    await waitUntil(async () => (await readBackup(site.url, cookie)).protectedUntil !== null)
    const headers = { cookie, 'content-type': 'application/json' }
    await fetch(site.url + backupEndpoints.drill.path, { method: 'POST', body: '{}', headers })
    await waitUntil(async () => (await readBackup(site.url, cookie)).drills.length > 0)
    const backup = await readBackup(site.url, cookie)
    expect(backup).toMatchObject({ isNightly: true, target, waitingMegabytes: 0, problem: null })
    expect(backup.drills).toMatchObject([{ outcome: 'proven', differing: [] }])
    const report = async () =>
      ((await (await fetch(`${site.url}/healthz`)).json()) as { backup: object }).backup
    // The response of the health check may be cached for five seconds.
    await waitUntil(async () => JSON.stringify(await report()).includes('proven'))
    // The health check reports the backup as `late`, because the only copy of the backup key is on this machine and the
    // backup target is on the same disk.
    expect(await report()).toMatchObject({ state: 'late', newestAgeSeconds: expect.any(Number) })
    expect(objects().filter((name) => name.includes('/log/'))).toEqual([])
  })
})

describe('npm run restore -- --from URL of a nightly backup', () => {
  const key = () => ['--key', join(root, 'data', 'keys', 'backup.key')]

  it('is refused for a time before the first nightly backup; the message states the earliest possible time', async () => {
    const refused = await runRestore(join(root, 'at'), ...key(), '--at', '2026-01-01 10:00')
    expect(refused.output).toMatch(
      /The backup begins after this time\. The earliest time is --at '\d{4}-/,
    )
    expect(refused.status).toBe(1)
  })

  it('restores the shop into an embedded database, without sessions, and pauses its emails', async () => {
    const restored = join(root, 'restored')
    const done = await runRestore(restored, ...key())
    expect(done.output).toMatch(/Restored the shop as it was at \d{4}-\d\d-\d\d .* \(\S+Z\), with/)
    expect(done.output).toContain('DATABASE_URL is set, so npm start opens that database')
    expect(done.status).toBe(0)
    const copy = await startServer({ DATA_DIR: restored })
    // The admin signs in to the restored shop with the password of the original shop.
    const cookie = await signIn(copy.url)
    expect((await readBackup(copy.url, cookie)).pausedEmails).toMatchObject({ waiting: 0 })
    await copy.end()
  })
})
