import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { minimalEnvironment } from '#tests/support/app/minimal-environment.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'

/** The timeout is long, because each run of a command starts a separate process, which takes seconds. */
vi.setConfig({ testTimeout: 120_000 })

let shop: TestDatabase
let folder: string
beforeAll(async () => {
  shop = await createTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'torque-encrypted-'))
  await shop.owner.query(
    `insert into public.quote_requests (name, email, vehicle_year, vehicle_make, vehicle_model, description)
     values ('Dana Whitfield', 'dana@example.com', '2019', 'Subaru', 'Outback', 'It rattles.')`,
  )
})
afterAll(async () => {
  await shop.drop()
  rmSync(folder, { recursive: true, force: true })
})

const root = join(import.meta.dirname, '../..')

/** Runs a command with `input` in a pipe instead of a terminal. */
function run(
  script: string,
  args: readonly string[],
  { input = '', env }: { input: string | undefined; env: Record<string, string> },
): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [script, ...args],
      { cwd: root, env: { ...minimalEnvironment, ...env } },
      (error, stdout, stderr) =>
        resolve({ status: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
    child.stdin?.end(input)
  })
}

const files = () => join(folder, 'files')
const backUp = (args: readonly string[], input?: string) =>
  run('server/commands/backup.ts', args, {
    input,
    env: { DATABASE_URL: shop.ownerUrl, DATA_DIR: files() },
  })
const restore = (args: readonly string[], dataDirectory: string, input?: string) =>
  run('server/commands/restore.ts', args, { input, env: { DATA_DIR: dataDirectory } })

it('npm run backup encrypts a backup with a passphrase; a restore with a wrong passphrase prints an error and changes no file', async () => {
  const file = join(folder, 'typed.encrypted')
  const made = await backUp([file, '--encrypt'], 'a long passphrase\n')
  expect(made.output).toContain(`Made and read back an encrypted backup: ${file}`)
  const bytes = readFileSync(file)
  expect(bytes.subarray(0, 8).toString()).toBe('TTBACKUP')
  expect(statSync(file).mode & 0o777).toBe(0o600)

  const target = join(folder, 'restored')
  mkdirSync(join(target, 'keys'), { recursive: true })
  writeFileSync(join(target, 'keys', 'visit_key'), 'k'.repeat(43))
  const before = readdirSync(target, { recursive: true })
  for (const [input, message] of [
    ['another passphrase\n', `This passphrase or key file does not open ${file}`],
    ['', 'nobody typed its passphrase'],
  ]) {
    const wrong = await restore([file], target, input)
    expect([wrong.status, wrong.output]).toEqual([1, expect.stringContaining(message ?? '')])
    expect(readdirSync(target, { recursive: true })).toEqual(before)
  }

  const shortened = join(folder, 'shortened.encrypted')
  writeFileSync(shortened, bytes.subarray(0, -1))
  const damaged = await restore([shortened], target, 'a long passphrase\n')
  expect([damaged.status, damaged.output]).toEqual([1, expect.stringContaining('is not a whole')])
  expect(readdirSync(target, { recursive: true })).toEqual(before)

  const correct = await restore([file], target, 'a long passphrase\n')
  expect([correct.status, correct.output]).toEqual([
    0,
    expect.stringContaining('Restored the shop'),
  ])
  expect(correct.output).not.toContain('do not work')
  expect(readFileSync(join(target, 'keys', 'visit_key'), 'utf8').trim()).toBe('k'.repeat(43))
})

it('npm run backup encrypts a backup with a key file, and refuses a short key and a key file that other users can read', async () => {
  const keyFile = join(folder, 'backup-key')
  const other = join(folder, 'other-key')
  const file = join(folder, 'by-file.encrypted')
  const args = [file, '--encrypt', '--key-file', keyFile]
  expect((await backUp(args)).output).toContain('cannot be read (ENOENT)')
  writeFileSync(keyFile, 'short\n', { mode: 0o600 })
  expect((await backUp(args)).output).toContain('must contain at least 32 characters')
  rmSync(keyFile)
  writeFileSync(keyFile, `${'x'.repeat(44)}\n`, { mode: 0o644 })
  expect((await backUp(args)).output).toContain('chmod 600')
  expect(existsSync(file)).toBe(false)
  rmSync(keyFile)
  writeFileSync(keyFile, `${'x'.repeat(44)}\n`, { mode: 0o600 })
  writeFileSync(other, `${'y'.repeat(44)}\n`, { mode: 0o600 })
  expect((await backUp(args)).status).toBe(0)

  const target = join(folder, 'by-file')
  const wrong = await restore([file, '--key-file', other], target)
  expect([wrong.status, wrong.output]).toEqual([1, expect.stringContaining('does not open')])
  expect(existsSync(target)).toBe(false)
  const correct = await restore([file, '--key-file', keyFile], target)
  expect([correct.status, correct.output]).toEqual([0, expect.stringContaining('do not work')])
})

it('npm run backup refuses a missing or short passphrase, and a key file without --encrypt', async () => {
  for (const input of ['', 'too short\n']) {
    const { status, output } = await backUp(['--encrypt'], input)
    expect([status, output]).toEqual([1, expect.stringContaining('at least 12 characters')])
  }
  expect((await backUp(['--key-file', 'x'])).output).toContain('npm run backup [FILE] -- --encrypt')
})
