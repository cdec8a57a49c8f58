import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { setupEndpoints } from '#contracts/setup.ts'
import { buildApp } from '#server/app.ts'
import { sealSecret } from '#server/platform/secrets/seal.ts'
import { takeBackup } from '#server/platform/storage/take-backup.ts'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { addStaffAccount, signInAs } from '#tests/support/app/sign-in-as.ts'
import { testKeys } from '#tests/support/app/test-keys.ts'
import { startMailServer, type TestMailServer } from '#tests/support/mail-server.ts'

const password = 'p@ss-of-the-mail-server'
const secretsKey = randomBytes(32)
let shop: TestApp
let server: TestMailServer
let other: TestMailServer
let confirmed: string
const log: string[] = []
beforeAll(async () => {
  server = await startMailServer()
  other = await startMailServer()
  shop = await createTestApp({
    config: { secretsKey, logLevel: 'debug' },
    logStream: { write: (line: string) => void log.push(line) },
  })
  confirmed = await shop.logInConfirmed()
  await shop.database.owner.query(
    `update public.staff_accounts set email = 'dana@example.com' where username = 'admin'`,
  )
})
afterAll(async () => {
  await shop.close()
  await server.stop()
  await other.stop()
})
beforeEach(async () => {
  shop.forgetRefusals()
  await shop.database.owner.query('delete from internal.rate_limits')
  await post('/api/setup/email/remove')
})
afterEach(() => {
  server.setMood('takes')
  server.received.splice(0)
  other.received.splice(0)
})

const portOf = ({ url }: TestMailServer) => Number(new URL(url).port)
const entered = (changes: object = {}) => ({
  host: '127.0.0.1',
  port: portOf(server),
  security: 'starttls',
  username: '',
  password: '',
  from: 'counter@shop.example',
  ...changes,
})
const post = (url: string, payload: object = {}, cookie = confirmed) =>
  shop.inject({ method: 'POST', url, payload, headers: { cookie } })
const save = (changes?: object, cookie?: string) =>
  post('/api/setup/email/save', entered(changes), cookie)
const read = async () =>
  setupEndpoints.email.response.parse(
    (await shop.inject({ url: '/api/setup/email', headers: { cookie: confirmed } })).json(),
  )
const stored = async () =>
  (
    await shop.database.owner.query<{ sealed: string | null }>(
      `select sealed from internal.sealed_settings where name = 'email'`,
    )
  ).rows[0]?.sealed
/**
 * Stores a mail server with a password directly in the database, because the endpoint sends a password only over an
 * encrypted connection, which the test mail server does not offer.
 */
const storeWithPassword = (key = secretsKey) =>
  shop.database.owner.query(`update internal.sealed_settings set sealed = $1`, [
    sealSecret(key, JSON.stringify(entered({ username: 'shop', password }))),
  ])

describe('a mail server that an owner enters', () => {
  it('is saved after it accepted a test message to the email address of the owner, and then sends the emails', async () => {
    expect(await read()).toMatchObject({ mode: 'outbox', mailServer: null })
    const response = await save()
    expect(response.json()).toEqual({
      ok: true,
      outcome: 'saved',
      serverMessage: null,
      meaning: null,
    })
    expect(server.received.map(({ recipients }) => recipients)).toEqual([['dana@example.com']])
    const sent = await post('/api/setup/email/test', { to: 'someone@example.com' })
    expect(sent.json()).toMatchObject({ outcome: 'sent' })
    expect(server.received[1]?.mail.from?.value[0]?.address).toBe('counter@shop.example')
    expect(await read()).toMatchObject({
      mode: 'smtp',
      from: 'counter@shop.example',
      isSetByEnvironment: false,
      mailServer: { fields: { host: '127.0.0.1', username: '' }, changedByName: 'admin' },
    })
  })

  it('is not saved when it refuses the message, and the response explains the reason', async () => {
    server.setMood('refuses-recipient')
    expect((await save()).json()).toMatchObject({
      outcome: 'failed',
      serverMessage: expect.stringContaining('No such user here') as string,
      meaning: expect.stringContaining('refused the recipient') as string,
    })
    expect(await stored()).toBeNull()
    expect(await read()).toMatchObject({ mode: 'outbox', mailServer: null })
  })

  it('is not saved when the owner has no email address for the test message', async () => {
    const setEmail = (email: string | null) =>
      shop.database.owner.query(
        `update public.staff_accounts set email = $1 where username = 'admin'`,
        [email],
      )
    await setEmail(null)
    expect((await save()).json()).toMatchObject({ code: 'OWN_EMAIL_MISSING' })
    await setEmail('dana@example.com')
    expect(server.received).toEqual([])
  })

  it('is deleted when the owner removes it; each change adds an entry without the values to the settings history', async () => {
    await save()
    await post('/api/setup/email/remove')
    // The second request finds no mail server, because the first request removed it.
    await post('/api/setup/email/remove')
    expect(await read()).toMatchObject({ mode: 'outbox', mailServer: null })
    const { rows } = await shop.database.owner.query<Record<string, unknown>>(
      `select name, action from internal.sealed_setting_changes order by id desc limit 3`,
    )
    expect(rows).toEqual([
      { name: 'email', action: 'removed' },
      { name: 'email', action: 'removed' },
      { name: 'email', action: 'saved' },
    ])
    const audit = await shop.database.owner.query<Record<string, unknown>>(
      `select kind, username, detail, confirmed_with from public.audit_events join public.staff_accounts using (user_id)
       order by id desc limit 2`,
    )
    const line = { username: 'admin', detail: 'email', confirmed_with: 'password' }
    expect(audit.rows).toEqual([
      { kind: 'setting_removed', ...line },
      { kind: 'setting_saved', ...line },
    ])
  })

  it.each([
    { host: 'mail.example/x' },
    { host: 'user@mail.example' },
    { host: '' },
    { port: 0 },
    { port: 70_000 },
    { security: 'none' },
    { username: 'a\r\nRCPT TO:<b@example.com>' },
    { from: 'Dana <a@example.com>' },
    { from: 'a@example.com\r\nBcc: b@example.com' },
  ])('is refused with the values %j', async (changes) => {
    expect((await save(changes)).json()).toMatchObject({ code: 'INVALID_MAIL_SERVER' })
    expect(server.received).toEqual([])
    expect(await stored()).toBeNull()
  })
})

describe('the password of a mail server', () => {
  it('appears in no response, log or backup, and is stored only encrypted', async () => {
    await storeWithPassword()
    await vi.waitFor(async () =>
      expect((await read()).mailServer?.fields).toMatchObject({ username: 'shop' }),
    )
    const answers = [await save({ username: 'shop', password }), await save({ host: 'x.invalid' })]
    for (const { body } of answers) expect(body).not.toContain(password)
    expect(JSON.stringify(await read())).not.toContain(password)
    expect(log.join()).toContain('/api/setup/email')
    expect(log.join()).not.toContain(password)
    expect(await stored()).toMatch(/^v1\./)
    const backup: string[] = []
    for await (const entry of takeBackup(shop.database.ownerUrl, shop.config.dataDirectory)) {
      backup.push(JSON.stringify(entry))
    }
    expect(backup.join()).toContain('internal.sealed_settings')
    expect(backup.join()).not.toContain(password)
    expect(backup.join()).not.toContain(secretsKey.toString('base64'))
  })

  it('is not used for a server whose host, port, security or username differs from the stored settings', async () => {
    await storeWithPassword()
    await vi.waitFor(async () => expect((await read()).mailServer).not.toBeNull())
    for (const changes of [
      { port: portOf(other) },
      { host: 'localhost' },
      { security: 'tls' },
      { username: 'someone' },
    ]) {
      const response = await save({ username: 'shop', password: null, ...changes })
      expect(response.json()).toMatchObject({ code: 'MAIL_PASSWORD_MISSING' })
    }
  })

  it('is not used when another machine encrypted it, and the owner can enter the password again', async () => {
    await storeWithPassword(randomBytes(32))
    await vi.waitFor(async () => expect((await read()).mailServer).toMatchObject({ fields: null }))
    expect(await read()).toMatchObject({ mode: 'outbox' })
    expect((await save()).json()).toMatchObject({ outcome: 'saved' })
    expect(await read()).toMatchObject({ mode: 'smtp' })
  })
})

describe('the email settings', () => {
  it.each(['advisor', 'technician'] as const)(
    'are refused to the role %s, even after step-up authentication',
    async (role) => {
      await addStaffAccount(shop, `mail-${role}`, role)
      const { cookie } = await signInAs(shop, `mail-${role}`)
      const stepUp = await post(
        '/api/admin/confirm-password',
        { password: testAdmin.password },
        cookie,
      )
      expect(stepUp.statusCode).toBe(200)
      expect((await save({}, cookie)).statusCode).toBe(403)
      expect((await post('/api/setup/email/remove', {}, cookie)).statusCode).toBe(403)
      expect(server.received).toEqual([])
    },
  )

  it('require step-up authentication', async () => {
    const response = await save({}, await shop.logIn())
    expect(response.json()).toMatchObject({ code: 'STEP_UP_REQUIRED' })
    expect(server.received).toEqual([])
  })

  it('that an owner changes apply in another server process within a second', async () => {
    const second = await openSecondProcess()
    try {
      await save()
      const setup = () => second.app.inject({ url: '/api/setup/email', headers: second.headers })
      await vi.waitFor(
        async () => expect((await setup()).json()).toMatchObject({ mode: 'smtp' }),
        1000,
      )
      await post('/api/setup/email/remove')
      await vi.waitFor(
        async () => expect((await setup()).json()).toMatchObject({ mode: 'outbox' }),
        1000,
      )
    } finally {
      await second.close()
    }
  })

  it('from the environment take precedence and cannot be changed in the dashboard', async () => {
    await save()
    const mail = {
      smtpUrl: other.url,
      resendApiKey: undefined,
      from: undefined,
      owner: undefined,
    }
    const second = await openSecondProcess({ mail })
    try {
      const { app, headers } = second
      const setup = await app.inject({ url: '/api/setup/email', headers })
      expect(setup.json()).toMatchObject({ mode: 'smtp', isSetByEnvironment: true })
      const refusedSave = await app.inject({
        method: 'POST',
        url: '/api/setup/email/save',
        headers,
        payload: entered(),
      })
      expect(refusedSave.json()).toMatchObject({ code: 'SET_BY_ENVIRONMENT' })
      await app.inject({
        method: 'POST',
        url: '/api/setup/email/test',
        headers,
        payload: { to: 'someone@example.com' },
      })
      expect(other.received).toHaveLength(1)
    } finally {
      await second.close()
    }
  })
})

/** Starts a second server process for the database of the shop, with a separate data directory. */
async function openSecondProcess(changes: Partial<TestApp['config']> = {}) {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'torque-second-'))
  const app = await buildApp({
    config: { ...shop.config, dataDirectory, ...changes },
    database: shop.database.database,
    keys: testKeys,
    now: Date.now,
  })
  await app.ready()
  return {
    app,
    headers: { cookie: confirmed },
    async close() {
      await app.close()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}
