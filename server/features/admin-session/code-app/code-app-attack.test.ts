import * as otpauth from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addTestAccount, createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { staffEmail } from '../gateway/auth-gateway.ts'

const lena = { username: 'lena', password: 'the password of lena' }
const startsAt = Date.parse('2026-11-27T18:00:00Z')

let shop: TestApp
let clock = startsAt
let secret = ''
let recoveryCodes: string[] = []

beforeAll(async () => {
  shop = await createTestApp({ now: () => clock })
  await addTestAccount(shop.database, { ...lena, role: 'owner' })
  const cookie = await shop.logInConfirmed()
  const started = await post('/api/admin/code-app/start', { cookie })
  secret = started.json<{ secret: string }>().secret
  const confirmed = await post('/api/admin/code-app/confirm', { cookie, code: codeAt(clock) })
  recoveryCodes = confirmed.json<{ recoveryCodes: string[] }>().recoveryCodes
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.forgetRefusals()
  // Each test runs at a separate simulated time, so that no other test has used the codes of that time.
  clock += 10 * 60_000
  await shop.database.owner.query(
    'delete from internal.rate_limits; delete from internal.known_browsers; delete from internal.pending_sign_ins',
  )
})

const codeAt = (time: number) =>
  new otpauth.TOTP({ secret: otpauth.Secret.fromBase32(secret) }).generate({ timestamp: time })

/** Returns a code that differs from the three codes that the server accepts at a time. */
const wrongCode = () =>
  ['000000', '000001', '000002', '000003'].find((code) =>
    [-30_000, 0, 30_000].every((distance) => codeAt(clock + distance) !== code),
  ) ?? ''

function post(
  url: string,
  { cookie = '', from = '192.0.2.1', ...payload }: Record<string, string> = {},
) {
  return shop.inject({ method: 'POST', url, payload, headers: { cookie }, remoteAddress: from })
}

/** Sends the right password. Returns the response and the cookie of the sign-in, which still needs a code. */
async function sendPassword(from = '192.0.2.1') {
  const response = await post('/api/admin/login', { ...testAdmin, from })
  const pending = response.cookies.find(({ name }) => name === 'pending_sign_in')
  return { response, cookie: `pending_sign_in=${pending?.value ?? ''}` }
}
const sendCode = async (cookie: string, code: string, from = '192.0.2.1') => {
  const response = await post('/api/admin/login/code', { cookie, code, from })
  return { status: response.statusCode, ...response.json<{ code?: string; message?: string }>() }
}

const expired = { status: 401, code: 'SIGN_IN_EXPIRED' }
const wrong = { status: 403, code: 'WRONG_CODE' }

describe('a sign-in to an account with an authenticator app', () => {
  it('returns SECOND_FACTOR for a correct password and opens no session', async () => {
    const before = await shop.database.owner.query('select from internal.admin_sessions')
    const data = 'select from auth.sessions'
    const dataBefore = await shop.database.owner.query(data)
    const { response } = await sendPassword()
    expect(response.json()).toEqual({ ok: false, code: 'SECOND_FACTOR', message: '' })
    expect(response.cookies.map(({ name }) => name)).toEqual(['pending_sign_in'])
    const after = await shop.database.owner.query('select from internal.admin_sessions')
    expect(after.rowCount).toBe(before.rowCount)
    expect((await shop.database.owner.query(data)).rowCount).toBe(dataBefore.rowCount)
  })

  it('succeeds with the code of the authenticator app', async () => {
    const { cookie } = await sendPassword()
    expect(await sendCode(cookie, codeAt(clock))).toMatchObject({ status: 200, ok: true })
  })

  it('returns the same response to a wrong password as for an account without an authenticator app', async () => {
    const answers = await Promise.all(
      [testAdmin.username, lena.username, 'nobody'].map(async (username) => {
        const response = await post('/api/admin/login', { username, password: 'a wrong password' })
        return { body: response.body, cookies: response.cookies }
      }),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.body).toContain('INVALID_CREDENTIALS')
  })

  it('cannot use the OAuth password grant, which returns the response for a wrong password', async () => {
    const grant = (password: string, username: string) =>
      shop.inject({
        method: 'POST',
        url: '/auth/v1/token?grant_type=password',
        payload: { email: staffEmail(username), password },
      })
    const right = await grant(testAdmin.password, testAdmin.username)
    const guessed = await grant('a wrong password', testAdmin.username)
    expect([right.statusCode, right.json()]).toEqual([guessed.statusCode, guessed.json()])
    expect(right.statusCode).toBe(400)
    expect((await grant(lena.password, lena.username)).statusCode).toBe(200)
  })
})

describe('an attack on the code of the authenticator app', () => {
  it('fails with a code that was used before', async () => {
    const code = codeAt(clock)
    expect(await sendCode((await sendPassword()).cookie, code)).toMatchObject({ status: 200 })
    expect(await sendCode((await sendPassword()).cookie, code)).toMatchObject(wrong)
  })

  it('fails with the code of an earlier time step than that of the code used before', async () => {
    const { cookie } = await sendPassword()
    expect(await sendCode(cookie, codeAt(clock))).toMatchObject({ status: 200 })
    expect(await sendCode((await sendPassword()).cookie, codeAt(clock - 30_000))).toMatchObject(
      wrong,
    )
  })

  it.each([-60_000, 60_000])(
    'fails with the code of a time that differs from the server’s time by %i ms',
    async (distance) => {
      const { cookie } = await sendPassword()
      expect(await sendCode(cookie, codeAt(clock + distance))).toMatchObject(wrong)
    },
  )

  it('succeeds only once when two requests send the same correct code', async () => {
    const [first, second] = [await sendPassword(), await sendPassword()]
    const code = codeAt(clock)
    const answers = await Promise.all([sendCode(first.cookie, code), sendCode(second.cookie, code)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403])
  })

  it('fails without the cookie of a pending sign-in, or with an invented cookie', async () => {
    await sendPassword()
    for (const cookie of ['', 'pending_sign_in=', `pending_sign_in=${'A'.repeat(43)}`]) {
      expect(await sendCode(cookie, codeAt(clock))).toMatchObject(expired)
    }
  })

  it('fails with the cookie of a pending sign-in that has ended', async () => {
    const { cookie } = await sendPassword()
    expect(await sendCode(cookie, codeAt(clock))).toMatchObject({ status: 200 })
    clock += 60_000
    expect(await sendCode(cookie, codeAt(clock))).toMatchObject(expired)
  })

  it('fails when the code is sent more than five minutes after the password', async () => {
    const { cookie } = await sendPassword()
    await shop.database.owner.query('update internal.pending_sign_ins set expires_at = now()')
    expect(await sendCode(cookie, codeAt(clock))).toMatchObject(expired)
  })

  it('fails after five wrong codes, even with the correct code', async () => {
    const { cookie } = await sendPassword()
    for (let guess = 0; guess < 5; guess += 1) {
      expect(await sendCode(cookie, wrongCode())).toMatchObject(wrong)
    }
    expect(await sendCode(cookie, codeAt(clock))).toMatchObject(expired)
  })

  it('fails with a recovery code that was used before', async () => {
    const [code = ''] = recoveryCodes
    const typed = ` ${code.toLowerCase().replace('-', ' ')} `
    expect(await sendCode((await sendPassword()).cookie, typed)).toMatchObject({ status: 200 })
    expect(await sendCode((await sendPassword()).cookie, code)).toMatchObject(wrong)
  })

  it('fails because the server checks at most ten of 1,000 guessed codes in 15 minutes, even from many IP addresses', async () => {
    let checked = 0
    let cookie = ''
    for (let guess = 0; guess < 1_000; guess += 1) {
      const from = `198.51.100.${guess % 250}`
      if (guess % 5 === 0) {
        const { response, cookie: pending } = await sendPassword(from)
        if (response.json<{ code: string }>().code === 'SECOND_FACTOR') cookie = pending
      }
      const answer = await sendCode(cookie, wrongCode(), from)
      if (answer.code === 'WRONG_CODE') checked += 1
      else expect(['SIGN_IN_EXPIRED', 'RATE_LIMITED']).toContain(answer.code)
    }
    expect(checked).toBe(10)
  })
})

it('the audit log records the set-up of the authenticator app, used recovery codes and wrong codes', async () => {
  const { rows } = await shop.database.owner.query<{ kind: string }>(
    `select distinct kind from public.audit_events where kind ~ 'code' order by kind`,
  )
  expect(rows.map(({ kind }) => kind)).toEqual([
    'code_app_set_up',
    'recovery_code_used',
    'wrong_code',
  ])
})
