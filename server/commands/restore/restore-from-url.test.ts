import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { confirmPasswordEndpoint } from '#contracts/step-up.ts'
import { type Backup, backupEndpoints } from '#contracts/backup.ts'
import { findRunningServer } from '@local/embedded-postgres'
import { minimalEnvironment } from '#tests/support/app/minimal-environment.ts'
import { startServer } from '#tests/support/app/server-process.ts'

/** The timeout is long, because each site and each command runs in a separate process. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let root: string
let target: string
let key: string
let startMessage: string
let drilled: Backup
let health: object
let stopped: Backup
const keyFiles: unknown[] = []

const names = (folder: string, pattern: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => pattern.test(name))

async function query<Row>(dataDirectory: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: findRunningServer(dataDirectory) ?? 'no server' })
  await client.connect()
  try {
    return (await client.query(sql)).rows as Row[]
  } finally {
    await client.end()
  }
}

function runRestore(dataDirectory: string, ...args: string[]) {
  const env = { ...minimalEnvironment, DATA_DIR: dataDirectory }
  const options = { cwd: join(import.meta.dirname, '../../..'), env }
  return new Promise<{ status: number; output: string }>((resolve) => {
    execFile(
      process.execPath,
      ['server/commands/restore.ts', ...args],
      options,
      (error, stdout, stderr) =>
        resolve({ status: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
  })
}

const insertQuote = `insert into public.quote_requests (name, email, vehicle_year, vehicle_make, vehicle_model, description)
  values ('Dana', 'dana@example.com', '2019', 'Subaru', 'Outback', 'It rattles.')`

const password = 'correct horse battery'

/**
 * As an owner does in the dashboard: signs in, downloads the backup key, stops a restore drill (test restore), confirms
 * that a copy of the key is stored, and completes another restore drill.
 */
async function runDrill(url: string): Promise<Backup> {
  const send = (path: string, body: object, headers = {}) =>
    fetch(url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  const signedIn = await send('/api/admin/login', { username: 'admin', password })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const read = async () =>
    (await (await fetch(url + backupEndpoints.read.path, { headers: { cookie } })).json()) as Backup
  const { key } = await read()
  keyFiles.push(await (await send(backupEndpoints.keyFile.path, {}, { cookie })).json())
  await send(confirmPasswordEndpoint.path, { password }, { cookie })
  keyFiles.push(await (await send(backupEndpoints.keyFile.path, {}, { cookie })).json())
  await send(backupEndpoints.drill.path, {}, { cookie })
  stopped = (await (await send(backupEndpoints.stopDrill.path, {}, { cookie })).json()) as Backup
  await send(backupEndpoints.confirmKey.path, { fingerprint: key?.fingerprint }, { cookie })
  await send(backupEndpoints.drill.path, {}, { cookie })
  await vi.waitUntil(async () => (await read()).drills.length > 0, {
    timeout: 60_000,
    interval: 250,
  })
  // The response of the health check may be cached for five seconds.
  await vi.waitUntil(
    async () => {
      health = ((await (await fetch(`${url}/healthz`)).json()) as { backup: object }).backup
      return JSON.stringify(health).includes('outcome')
    },
    { timeout: 30_000, interval: 250 },
  )
  return read()
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'torque-from-url-'))
  const [dataDirectory, folder] = [join(root, 'data'), join(root, 'target')]
  mkdirSync(folder)
  target = pathToFileURL(folder).href
  const site = await startServer({
    DATA_DIR: dataDirectory,
    BACKUP_URL: target,
    ADMIN_PASSWORD: password,
  })
  startMessage = site.output()
  await vi.waitUntil(() => names(folder, /manifest-/).length > 0, { timeout: 60_000 })
  await query(dataDirectory, insertQuote)
  drilled = await runDrill(site.url)
  const [row] = await query<{ segment: string }>(
    dataDirectory,
    'select pg_walfile_name(pg_switch_wal()) as segment',
  )
  await vi.waitUntil(() => names(folder, new RegExp(`log/${row?.segment}`)).length > 0, {
    timeout: 60_000,
  })
  key = readFileSync(join(dataDirectory, 'keys', 'backup.key'), 'utf8')
  await site.end('SIGKILL')
  await vi.waitUntil(() => findRunningServer(dataDirectory) === undefined, { timeout: 30_000 })
  rmSync(dataDirectory, { recursive: true, force: true })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('the first start with a backup target', () => {
  it('asks the owner to keep a copy of the backup key, and warns about a target on the same disk', () => {
    expect(startMessage).toContain('keys/backup.key elsewhere')
    expect(startMessage).toContain('WARNING: the backup is on the disk of DATA_DIR')
  })
})

describe('the backup key file', () => {
  it('can be downloaded only after the owner has confirmed the password', () => {
    expect(keyFiles).toEqual([
      expect.objectContaining({ ok: false, code: 'STEP_UP_REQUIRED' }),
      { ok: true, content: key.trim() },
    ])
  })
})

describe('a restore drill of the running shop', () => {
  it('ends without a result when it is stopped', () => {
    expect(stopped).toMatchObject({ runningDrill: null, drills: [] })
  })

  it('proves that the backup can be restored; the health check reports the result without the target URL or row counts', () => {
    expect(drilled.drills).toMatchObject([{ outcome: 'proven', differing: [] }])
    expect(drilled.key?.confirmedBy).toBe('admin')
    expect(drilled).toMatchObject({ isOnSameDisk: true, runningDrill: null, target })
    expect(health).toEqual({
      state: 'late',
      newestAgeSeconds: expect.any(Number),
      lastDrill: { at: expect.any(String), outcome: 'proven' },
    })
  })
})

describe('npm run restore -- --from URL', () => {
  it('restores a destroyed shop on an empty machine with a copy of the backup key', async () => {
    const restored = join(root, 'restored')
    writeFileSync(join(root, 'key copy'), key)
    const done = await runRestore(restored, '--from', target, '--key', join(root, 'key copy'))
    expect(done.output).toMatch(
      /up to the last change at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d -0\d:00 \(\S+Z\)/,
    )
    expect(done.output).toContain('The site makes backups only if BACKUP_URL is set.')
    expect(done.output).toContain('Accounts, roles and passwords are the latest ones.')
    expect(done.status).toBe(0)
    expect(readFileSync(join(restored, 'keys', 'backup.key'), 'utf8')).toBe(key)
    const site = await startServer({ DATA_DIR: restored })
    expect(site.output()).toContain('Emails are paused until an owner sends them')
    expect(site.output()).toContain('Backup     NONE. Set BACKUP_URL')
    expect(await query(restored, 'select name from public.quote_requests')).toEqual([
      { name: 'Dana' },
    ])
    expect(await query(restored, 'select * from internal.admin_sessions')).toEqual([])
    // When the restored site started, the site compared its invoice numbers with those at the payment provider.
    expect(
      await query(
        restored,
        'select numbers_checked_at is not null as checked from internal.restored_shop',
      ),
    ).toEqual([{ checked: true }])
    await site.end()
  })

  it('asks for the backup key, and refuses a wrong key with a message that contains the fingerprints of the wrong and the right key', async () => {
    const folder = join(root, 'no-key')
    const without = await runRestore(folder, '--from', target)
    expect([without.status, without.output]).toEqual([1, expect.stringContaining('--key FILE')])
    writeFileSync(join(root, 'wrong key'), 'w'.repeat(43))
    const wrong = await runRestore(folder, '--from', target, '--key', join(root, 'wrong key'))
    const fingerprint = '([0-9A-F]{4} ?){3}'
    expect(wrong.output).toMatch(
      new RegExp(`fingerprint is ${fingerprint}; .* has the fingerprint ${fingerprint}`),
    )
    expect(wrong.status).toBe(1)
    expect(readdirSync(folder)).toEqual([])
  })

  it('explains its options, and refuses unknown or contradictory options', async () => {
    expect(await runRestore(root, '--help')).toMatchObject({
      status: 0,
      output: expect.stringContaining("--at '2026-12-01 14:05:00'"),
    })
    const refusals: readonly (readonly [string, ...string[]])[] = [
      ['--at needs --from URL', '--at', '2026-12-01 10:00'],
      ["'10:00' does not belong to --from", '--from', target, '--at', '2026-12-01', '10:00'],
      ['--key-file is for a file of npm run backup', '--from', target, '--key-file', 'a'],
      ["Unknown option '--form'", '--form', target],
      ["Remove 'b'", 'a', 'b'],
      ['Restores the shop into an empty DATA_DIR.'],
    ]
    for (const [reason, ...args] of refusals) {
      const output = expect.stringContaining(reason)
      expect(await runRestore(root, ...args)).toMatchObject({ status: 1, output })
    }
  })

  it('reports the error in an invalid backup URL or key file', async () => {
    const folder = join(root, 'refused')
    const copy = ['--key', join(root, 'key copy')]
    const notRead = `The key file ${root} cannot be read (EISDIR)`
    const refusals: readonly (readonly [string, ...string[]])[] = [
      [notRead, '--from', target, '--key', root],
      ['three slashes', '--from', 'file://mnt/backup', ...copy],
      ['it does not exist, or its disk is not mounted', '--from', `${target}-away`, ...copy],
      ['Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY', '--from', 's3://bucket', ...copy],
      [
        `The key file ${join(root, 'no key')} does not exist.`,
        '--from',
        target,
        '--key',
        join(root, 'no key'),
      ],
      ['no backup of a shop with this number', '--from', target, '--shop', '12', ...copy],
      ['at the shop it is now', '--from', target, '--at', '2090-01-01 10:00', ...copy],
    ]
    for (const [reason, ...args] of refusals) {
      const output = expect.stringContaining(reason)
      expect(await runRestore(folder, ...args)).toMatchObject({ status: 1, output })
    }
    const file = join(root, 'key copy')
    const inFile = await runRestore(file, '--from', target, ...copy)
    expect(inFile.output).toContain(`DATA_DIR ${file} cannot be used (EEXIST)`)
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
  })
})
