import * as otpauth from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addTestAccount, createTestApp, type TestApp } from '#tests/support/app/app.ts'
import {
  countedPasswords,
  expectOneRefusal,
  measureRequest,
} from '#tests/support/app/measured-requests.ts'
import { staffEmail } from './gateway/auth-gateway.ts'

/* Every refusal of a sign-in has the same text and headers and causes the same work on the server. Neither the response
   nor its time therefore reveals whether an account exists, is switched off, or has an authenticator app. */
const password = 'the password of everybody'
let shop: TestApp
let clock = Date.parse('2026-11-27T18:00:00Z')
let secret = ''
let recoveryCodes: string[] = []

beforeAll(async () => {
  shop = await createTestApp({ now: () => clock, passwords: countedPasswords })
  for (const username of ['lena', 'off', 'coded', 'gone']) {
    await addTestAccount(shop.database, { username, password, role: 'owner' })
  }
  const confirmed = { username: 'coded', password }
  const cookie = await shop.logIn(confirmed)
  await post('/api/admin/confirm-password', { password }, cookie)
  const started = await post('/api/admin/code-app/start', {}, cookie)
  secret = started.json<{ secret: string }>().secret
  const codes = await post('/api/admin/code-app/confirm', { code: codeAt(clock) }, cookie)
  recoveryCodes = codes.json<{ recoveryCodes: string[] }>().recoveryCodes
  await switchOff('off')
  await shop.database.owner.query(`delete from public.staff_accounts where username = 'gone'`)
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.forgetRefusals()
  clock += 10 * 60_000
  await shop.database.owner.query('delete from internal.rate_limits')
})

const codeAt = (time: number) =>
  new otpauth.TOTP({ secret: otpauth.Secret.fromBase32(secret) }).generate({ timestamp: time })

const post = (url: string, payload: object, cookie = '') =>
  shop.inject({ method: 'POST', url, payload, headers: { cookie } })

const logIn = (username: string, typed: string) => () =>
  post('/api/admin/login', { username, password: typed })

const askDataService = (username: string, typed: string) => () =>
  post('/auth/v1/token?grant_type=password', { email: staffEmail(username), password: typed })

const switchOff = (username: string) =>
  shop.database.owner.query(
    'update public.staff_accounts set is_active = false where username = $1',
    [username],
  )

const wrong = 'a wrong password'
const accounts = {
  'an unknown name': ['nobody', wrong],
  'a wrong password': ['lena', wrong],
  'a wrong password of a switched-off account': ['off', wrong],
  'the right password of a switched-off account': ['off', password],
  'the right password of a user without an account': ['gone', password],
  'a wrong password of an account with a code app': ['coded', wrong],
} as const

describe('a refused sign-in', () => {
  it('has the same response and costs the same work for every reason of the refusal', async () => {
    const requests = Object.entries(accounts).map(([name, [username, typed]]) => [
      name,
      logIn(username, typed),
    ])
    const refusal = await expectOneRefusal(Object.fromEntries(requests))
    expect(refusal).toMatchObject({ status: 401, hashes: 1 })
    expect(refusal.body).toContain('Invalid username or password')
  })

  it('has the same response and costs the same work at the OAuth password grant, even for the correct password of an account with an authenticator app', async () => {
    const requests = Object.entries(accounts).map(([name, [username, typed]]) => [
      name,
      askDataService(username, typed),
    ])
    const refusal = await expectOneRefusal({
      ...Object.fromEntries(requests),
      'the right password of an account with a code app': askDataService('coded', password),
    })
    expect(refusal).toMatchObject({ status: 400, hashes: 1 })
  })

  it('has the same response and costs the same work for a value in the format of a one-time code', async () => {
    const code = 'abcd-efgh-jkmn-pqrs-tuvw'
    const refusal = await expectOneRefusal({
      'an unknown name': logIn('nobody', code),
      'a known name': logIn('lena', code),
      'a switched-off account': logIn('off', code),
    })
    expect(refusal).toMatchObject({ status: 401, hashes: 1 })
  })
})

describe('a refused second-factor code', () => {
  /** Sends the right password, and returns the cookie of the sign-in, which still needs a code. */
  async function pendingCookie(): Promise<string> {
    const response = await logIn('coded', password)()
    const pending = response.cookies.find(({ name }) => name === 'pending_sign_in')
    return `pending_sign_in=${pending?.value}`
  }
  const sendCode = (code: string, cookie: string) => () =>
    post('/api/admin/login/code', { code }, cookie)

  it('has the same response and costs the same work for a wrong, expired or used code of the app and for a wrong or used recovery code', async () => {
    const cookie = await pendingCookie()
    const [used = '', unused = ''] = recoveryCodes
    const finished = [
      sendCode(used, await pendingCookie()),
      sendCode(codeAt(clock), await pendingCookie()),
    ]
    for (const send of finished) expect((await send()).statusCode).toBe(200)
    const refusal = await expectOneRefusal({
      'a wrong code': sendCode('000000', cookie),
      'an old code': sendCode(codeAt(clock - 600_000), cookie),
      'a used code': sendCode(codeAt(clock), cookie),
      'a used recovery code': sendCode(used, cookie),
      'a wrong recovery code': sendCode(unused.replaceAll(/./g, 'A'), cookie),
    })
    expect(refusal).toMatchObject({ status: 403, hashes: 0 })
  })

  it('has the same response and costs the same work if the cookie of the pending sign-in is missing or invented, or the pending sign-in has ended', async () => {
    const [finished, spent, old, switchedOff] = [
      await pendingCookie(),
      await pendingCookie(),
      await pendingCookie(),
      await pendingCookie(),
    ]
    expect((await sendCode(codeAt(clock), finished)()).statusCode).toBe(200)
    for (let nth = 0; nth < 5; nth += 1) await sendCode('000000', spent)()
    const hashOf = `sha256(convert_to($1, 'UTF8'))`
    await shop.database.owner.query(
      `update internal.pending_sign_ins set expires_at = now() where browser_hash = ${hashOf}`,
      [old.replace('pending_sign_in=', '')],
    )
    const code = codeAt(clock)
    const refusal = await expectOneRefusal({
      'no sign-in': sendCode(code, ''),
      'a made-up sign-in': sendCode(code, `pending_sign_in=${'A'.repeat(43)}`),
      'a finished sign-in': sendCode(code, finished),
      'a sign-in without tries left': sendCode(code, spent),
      'an expired sign-in': sendCode(code, old),
    })
    expect(refusal).toMatchObject({ status: 401, hashes: 0 })
    await switchOff('coded')
    expect(await measureRequest(sendCode(code, switchedOff))).toEqual(refusal)
  })
})
