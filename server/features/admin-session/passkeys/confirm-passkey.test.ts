import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addTestAccount, createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import {
  createOwnPasskeyBrowser,
  createPasskeyBrowser,
} from '#tests/support/app/passkey-browser.ts'
import { createSoftwareAuthenticator } from '#tests/support/app/software-authenticator.ts'

type Browser = ReturnType<typeof createPasskeyBrowser>
type Device = ReturnType<typeof createSoftwareAuthenticator>
type Claims = Parameters<Device['signIn']>[1]
type Options = Parameters<Device['signIn']>[0]

const lena = { username: 'lena', password: 'the password of lena', role: 'owner' } as const

let shop: TestApp
let device: Device
let devicesOfLena: Device
beforeAll(async () => {
  shop = await createTestApp()
  await addTestAccount(shop.database, lena)
  device = createSoftwareAuthenticator()
  await (await createOwnPasskeyBrowser(shop)).register(device)
  devicesOfLena = createSoftwareAuthenticator()
  const browser = createPasskeyBrowser(shop, await shop.logIn(lena))
  await browser.post('/api/admin/confirm-password', { password: lena.password })
  await browser.register(devicesOfLena)
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.forgetRefusals()
  await shop.database.owner.query(
    `delete from internal.rate_limits; update internal.passkeys set anomaly_count = 0, is_active = true, counter = 0`,
  )
})

const signedIn = async () => createPasskeyBrowser(shop, await shop.logIn())
const ask = async (browser: Browser) =>
  (await browser.post('/api/admin/confirm-passkey/options', {})).json<{ options: Options }>()
    .options
const send = (browser: Browser, answer: object) =>
  browser.post('/api/admin/confirm-passkey', { answer })
const confirm = async (browser: Browser, claims?: Claims) =>
  send(browser, device.signIn(await ask(browser), claims))

/**
 * Sends a refund request and returns whether the session is confirmed by a step-up authentication, which refunds
 * require. The request names no payment, so no payment is refunded.
 */
const isConfirmed = async (browser: Browser) =>
  (await browser.post('/api/commands/refund-payment', {})).json<{ code: string }>().code !==
  'STEP_UP_REQUIRED'

describe('step-up authentication with a passkey', () => {
  it('is valid for five minutes in its own session, and in no other session', async () => {
    const [here, there] = [await signedIn(), await signedIn()]
    const response = await confirm(here)
    expect([response.statusCode, response.json()]).toMatchObject([200, { ok: true }])
    expect([await isConfirmed(here), await isConfirmed(there)]).toEqual([true, false])
    const { rows } = await shop.database.owner.query(
      `select extract(epoch from max(confirmed_until) - now())::int between 298 and 300 as is_right
       from internal.admin_sessions`,
    )
    expect(rows).toEqual([{ is_right: true }])
  })

  it('is named in the audit entry of the action that it permitted', async () => {
    await shop.database.owner.query('update internal.admin_sessions set confirmed_until = null')
    const browser = await signedIn()
    await confirm(browser)
    expect((await browser.post('/api/admin/profile/pin', { pin: '2580' })).statusCode).toBe(200)
    const { rows } = await shop.database.owner.query(
      'select kind, confirmed_with from public.audit_events order by id desc limit 1',
    )
    expect(rows).toEqual([{ kind: 'pin_set', confirmed_with: 'passkey' }])
  })

  it('offers the team member’s passkeys for this site, and accepts a response that does not name the user', async () => {
    const browser = await signedIn()
    const options = await ask(browser)
    const answer = device.signIn(options)
    expect(options['allowCredentials']).toMatchObject([{ id: answer.id }])
    const { userHandle: _left, ...response } = answer.response
    expect((await send(browser, { ...answer, response })).statusCode).toBe(200)
    expect(await isConfirmed(browser)).toBe(true)
  })

  it('is not offered to an account without a passkey for this site', async () => {
    const browser = await signedIn()
    await shop.database.owner.query(`update internal.passkeys set is_active = false`)
    const response = await browser.post('/api/admin/confirm-passkey/options', {})
    expect(response.json()).toEqual({ ok: true, options: null, hasPassword: true })
  })

  it('requires another response after the first outdated signature counter, and switches the passkey off after the second', async () => {
    const browser = await signedIn()
    expect((await confirm(browser, { counter: 5 })).statusCode).toBe(200)
    const next = await signedIn()
    const answer = async () => (await confirm(next, { counter: 5 })).json<{ code: string }>().code
    const codes = [await answer(), await answer()]
    expect(codes).toEqual(['PASSKEY_AGAIN', 'WRONG_PASSKEY'])
    expect(await isConfirmed(next)).toBe(false)
    expect(await ask(next)).toBeNull()
  })
})

/**
 * The simulated attacks on a step-up authentication. Each function returns the response to the last request of its
 * attack.
 */
const attacks = {
  'an answer for another origin': (browser: Browser) =>
    confirm(browser, { origin: 'http://localhost:3001' }),
  'an answer without user verification': (browser: Browser) =>
    confirm(browser, { isUserVerified: false }),
  'the passkey of somebody else': async (browser: Browser) =>
    send(browser, devicesOfLena.signIn(await ask(browser))),
  'the challenge of another session in the same browser': async (browser: Browser) => {
    const options = await ask(browser)
    await shop.database.owner.query(
      `update internal.passkey_challenges set session_id =
         (select id from internal.admin_sessions where username = 'lena' limit 1)`,
    )
    return send(browser, device.signIn(options))
  },
  'the challenge of another browser': async (browser: Browser) => {
    await ask(browser)
    return send(browser, device.signIn(await ask(await signedIn())))
  },
  'the challenge of a sign-in': async (browser: Browser) =>
    send(browser, device.signIn(await browser.askToSignIn())),
  'a challenge that expired': async (browser: Browser) => {
    const options = await ask(browser)
    await shop.database.owner.query('update internal.passkey_challenges set expires_at = now()')
    return send(browser, device.signIn(options))
  },
  'an answer that is not one': (browser: Browser) => send(browser, { id: 'x' }),
}

describe('an attack on step-up authentication with a passkey', () => {
  it.each(Object.entries(attacks))(
    'gets the same refusal as every other attack: %s',
    async (_name, attack) => {
      const browser = await signedIn()
      const response = await attack(browser)
      expect([response.statusCode, response.json()]).toEqual([
        403,
        {
          ok: false,
          code: 'WRONG_PASSKEY',
          message: 'This passkey was not accepted. Please try again.',
        },
      ])
      expect(await isConfirmed(browser)).toBe(false)
    },
  )

  it('is refused when it sends an earlier passkey response again', async () => {
    const browser = await signedIn()
    const answer = device.signIn(await ask(browser))
    expect((await send(browser, answer)).statusCode).toBe(200)
    expect((await send(browser, answer)).json()).toMatchObject({ code: 'WRONG_PASSKEY' })
  })

  it('is refused when it uses the challenge of a step-up authentication for a sign-in', async () => {
    const browser = await signedIn()
    const answer = device.signIn(await ask(browser))
    const response = await browser.post('/api/admin/passkey-sign-in', { answer })
    expect([response.statusCode, response.cookies]).toEqual([401, []])
  })

  it('is refused without a session, and is blocked for a time after ten wrong passkey responses', async () => {
    const visitor = createPasskeyBrowser(shop)
    const answer = device.signIn({ challenge: 'AA' })
    expect((await send(visitor, answer)).statusCode).toBe(401)
    const browser = await signedIn()
    const statuses: number[] = []
    for (let nth = 0; nth < 11; nth += 1) statuses.push((await send(browser, answer)).statusCode)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429])
    const password = { password: testAdmin.password }
    expect((await browser.post('/api/admin/confirm-password', password)).statusCode).toBe(200)
  })
})
