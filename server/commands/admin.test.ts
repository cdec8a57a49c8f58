import { testOwnerId } from '#tests/support/database/database.ts'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { minimalEnvironment } from '#tests/support/app/minimal-environment.ts'

/** The timeout is long, because each run of the command starts a separate process, which takes seconds. */
vi.setConfig({ testTimeout: 120_000 })

let shop: TestApp
beforeAll(async () => {
  shop = await createTestApp()
})
afterAll(() => shop.close())

/** Runs `npm run admin -- …` while the site is running, without a terminal. */
function runAdmin(...args: string[]): Promise<{ status: number; output: string }> {
  const env = {
    ...minimalEnvironment,
    DATABASE_URL: shop.database.ownerUrl,
    DATA_DIR: shop.config.dataDirectory,
  }
  const options = { cwd: join(import.meta.dirname, '../..'), env }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['server/commands/admin.ts', ...args],
      options,
      (error, stdout, stderr) =>
        resolve({ status: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
    child.stdin?.end('a long password\n')
  })
}

const logIn = (username: string, password: string) =>
  shop.inject({ method: 'POST', url: '/api/admin/login', payload: { username, password } })

async function makeCode(username: string): Promise<string> {
  const { output } = await runAdmin('code', username)
  return /within 15 minutes: (\S+)/.exec(output)?.[1] ?? `no code: ${output}`
}

it('npm run admin prints its usage for unknown or missing arguments', async () => {
  for (const args of [[], ['toString', 'ana'], ['code', 'ana', '--yes'], ['--no']]) {
    const { status, output } = await runAdmin(...args)
    expect([status, output]).toEqual([1, expect.stringContaining('npm run admin -- remove')])
  }
})

it('npm run admin creates an admin, and removes an admin only after a confirmation', async () => {
  expect((await runAdmin('create', 'bea')).output).toBe('bea can sign in at /admin-dashboard.\n')
  const unconfirmed = await runAdmin('remove', 'bea')
  expect([unconfirmed.status, unconfirmed.output]).toEqual([
    1,
    expect.stringContaining('add --yes'),
  ])
  const code = await makeCode('bea')
  expect((await logIn('bea', code)).statusCode).toBe(200)
  const unused = await makeCode('bea')
  const removed = await runAdmin('remove', 'bea', '--yes')
  expect([removed.status, removed.output]).toEqual([
    0,
    'bea is removed and signed out everywhere.\n',
  ])
  expect((await logIn('bea', unused)).statusCode).toBe(401)
})

it('npm run admin refuses to remove the last owner', async () => {
  await shop.database.owner.query('delete from public.staff_accounts where user_id = $1', [
    testOwnerId,
  ])
  const { status, output } = await runAdmin('remove', testAdmin.username, '--yes')
  expect([status, output]).toEqual([1, expect.stringContaining('Add another owner')])
})

it('a code from npm run admin signs the owner in once, even after attackers have used up the sign-in attempts', async () => {
  const refused = await runAdmin('code', 'nobody')
  expect([refused.status, refused.output]).toEqual([
    1,
    expect.stringContaining('no admin with this'),
  ])
  const code = await makeCode(testAdmin.username.toUpperCase())
  for (let count = 0; count < 10; count += 1) await logIn(testAdmin.username, 'wrong')
  expect((await logIn(testAdmin.username, testAdmin.password)).statusCode).toBe(429)
  expect((await logIn('bea', code)).statusCode).not.toBe(200)
  const letIn = await logIn(testAdmin.username, code)
  expect(letIn.json()).toMatchObject({ ok: true, user: { username: testAdmin.username } })
  const browser = letIn.cookies.find(({ name }) => name === 'admin_browser')
  expect((await logIn(testAdmin.username, code)).statusCode).toBe(429)
  // The sign-in with the one-time code made this browser a known browser. Known browsers have their own limit of
  // password attempts.
  const again = await shop.inject({
    method: 'POST',
    url: '/api/admin/login',
    headers: { cookie: `admin_browser=${browser?.value}` },
    payload: testAdmin,
  })
  expect(again.statusCode).toBe(200)
})
