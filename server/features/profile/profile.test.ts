import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Profile } from '#contracts/profile.ts'
import { addTestAccount, createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'

const lena = { username: 'lena', password: 'the password of lena', role: 'technician' } as const
const newPassword = 'a better horse battery'

let shop: TestApp
beforeAll(async () => {
  shop = await createTestApp()
  await addTestAccount(shop.database, lena)
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.forgetRefusals()
  await shop.database.owner.query(
    'delete from internal.rate_limits; delete from internal.admin_sessions; delete from auth.sessions',
  )
})

type Body = Partial<Profile> & { code?: string; message?: string }

async function send(cookie: string, path: string, payload?: object, headers = {}) {
  const response = await shop.inject({
    method: payload ? 'POST' : 'GET',
    url: `/api/admin/${path}`,
    headers: { cookie, ...headers },
    ...(payload && { payload }),
  })
  return { status: response.statusCode, ...response.json<Body>() }
}
const profile = (cookie: string) => send(cookie, 'profile')

/**
 * Signs in from another browser. Returns the session cookie and the session for the REST API, which contains a refresh
 * token and an access token.
 */
async function logInFrom(userAgent: string, remoteAddress: string) {
  const response = await shop.inject({
    method: 'POST',
    url: '/api/admin/login',
    headers: { 'user-agent': userAgent },
    remoteAddress,
    payload: testAdmin,
  })
  const token = response.cookies.find(({ name }) => name === 'admin_session')?.value
  const { session } = response.json<{
    session: { refresh_token: string; access_token: string }
  }>()
  return { cookie: `admin_session=${token}`, session }
}

/**
 * Sends three requests with the credentials of a signed-in browser: the cookie, the refresh token and the access token.
 * Returns the three HTTP statuses.
 */
async function replay({ cookie, session }: Awaited<ReturnType<typeof logInFrom>>) {
  const refresh = await shop.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=refresh_token',
    payload: { refresh_token: session.refresh_token },
  })
  const read = await shop.inject({
    url: '/rest/v1/tasks?select=id',
    headers: { apikey: shop.config.anonKey, authorization: `Bearer ${session.access_token}` },
  })
  return [(await profile(cookie)).status, refresh.statusCode, read.statusCode]
}

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

describe('the profile of a team member', () => {
  it('shows a team member of any role their own account', async () => {
    expect(await profile(await shop.logIn(lena))).toMatchObject({
      status: 200,
      username: 'lena',
      name: 'lena',
      email: null,
      role: 'technician',
      sessions: [{ isCurrent: true }],
    })
  })

  it("lists the team member's sessions with device and network address, the current session first", async () => {
    await shop.logIn(lena)
    const here = await shop.logIn()
    await logInFrom(firefox, '203.0.113.7')
    await logInFrom('curl/8', '2001:db8:1:2:3:4:5:6')
    const { sessions } = await profile(here)
    expect(
      sessions?.map(({ device, networkAddress, isCurrent }) => [device, networkAddress, isCurrent]),
    ).toEqual([
      ['Unknown device', '127.0.0.1', true],
      ['Unknown device', '2001:db8:1:2::/64', false],
      ['Firefox on Linux', '203.0.113.7', false],
    ])
  })

  it('does not list a session that has ended', async () => {
    const here = await shop.logIn()
    const there = await logInFrom(firefox, '203.0.113.7')
    await shop.database.owner.query(
      `update internal.admin_sessions set last_used_at = now() - interval '12 hours' where device = 'Firefox on Linux'`,
    )
    expect((await profile(here)).sessions).toHaveLength(1)
    expect(await replay(there)).toEqual([401, 400, 401])
  })
})

describe('ending sessions', () => {
  it('ends the session that the team member selects, whose cookie, refresh token and access token then become invalid', async () => {
    const here = await shop.logIn()
    const there = await logInFrom(firefox, '203.0.113.7')
    const id = (await profile(here)).sessions?.find(({ isCurrent }) => !isCurrent)?.id
    const { sessions } = await send(here, 'sessions/end', { id })
    expect(sessions).toHaveLength(1)
    expect(await replay(there)).toEqual([401, 400, 401])
    expect((await profile(here)).status).toBe(200)
  })

  it('ends all other sessions of the account, but no session of another account', async () => {
    const [here, other] = [await shop.logIn(), await shop.logIn(lena)]
    const there = [
      await logInFrom(firefox, '203.0.113.7'),
      await logInFrom('curl/8', '203.0.113.8'),
    ]
    expect((await send(here, 'sessions/end-others', {})).sessions).toHaveLength(1)
    for (const ended of there) expect(await replay(ended)).toEqual([401, 400, 401])
    expect((await profile(other)).status).toBe(200)
  })

  it('does not end the session of another account by its id', async () => {
    const [here, other] = [await shop.logIn(), await shop.logIn(lena)]
    const id = (await profile(other)).sessions?.[0]?.id
    expect((await send(here, 'sessions/end', { id })).status).toBe(200)
    expect((await profile(other)).status).toBe(200)
  })

  it('a sign-in creates a new session, even if the browser sends a session cookie that an attacker chose', async () => {
    const chosen = `admin_session=${'A'.repeat(43)}`
    const response = await shop.inject({
      method: 'POST',
      url: '/api/admin/login',
      headers: { cookie: chosen },
      payload: testAdmin,
    })
    expect(response.cookies.find(({ name }) => name === 'admin_session')?.value).not.toBe(
      'A'.repeat(43),
    )
    expect((await profile(chosen)).status).toBe(401)
  })
})

describe('a change of the profile', () => {
  it('saves a name, which /api/admin/me then returns with the username', async () => {
    const cookie = await shop.logIn()
    expect(await send(cookie, 'profile/name', { name: '  Lena Marsh ' })).toMatchObject({
      name: 'Lena Marsh',
      username: 'admin',
    })
    expect(await send(cookie, 'me')).toMatchObject({
      user: { username: 'admin' },
      name: 'Lena Marsh',
    })
    for (const name of ['', ' ', 'x'.repeat(81), 'Lena\u200bMarsh', 'Lena\nMarsh']) {
      expect((await send(cookie, 'profile/name', { name })).code).toBe('INVALID_NAME')
    }
  })

  it('saves an email address that no other account has, after step-up authentication', async () => {
    const email = 'Lena@Shop.example'
    expect((await send(await shop.logIn(), 'profile/email', { email })).code).toBe(
      'STEP_UP_REQUIRED',
    )
    const cookie = await shop.logInConfirmed()
    expect(await send(cookie, 'profile/email', { email })).toMatchObject({
      email: 'lena@shop.example',
    })
    expect((await send(cookie, 'profile/email', { email: 'no address' })).code).toBe(
      'INVALID_ADDRESS',
    )
    await shop.database.owner.query(
      `update public.staff_accounts set email = 'taken@shop.example' where username = 'lena'`,
    )
    expect((await send(cookie, 'profile/email', { email: 'taken@shop.example' })).code).toBe(
      'EMAIL_TAKEN',
    )
  })

  it('is refused for cross-site requests and without a session', async () => {
    const cookie = await shop.logInConfirmed()
    const elsewhere = { origin: 'https://evil.example' }
    for (const [path, payload] of [
      ['profile/name', { name: 'Eve' }],
      ['profile/email', { email: 'eve@evil.example' }],
      ['profile/password', { password: newPassword }],
      ['sessions/end-others', {}],
    ] as const) {
      expect((await send(cookie, path, payload, elsewhere)).code).toBe('CROSS_ORIGIN')
      expect((await send('', path, payload)).code).toBe('UNAUTHENTICATED')
    }
  })
})

describe('a new password', () => {
  it('is refused without step-up authentication, with fewer than twelve characters, and if it is a common password', async () => {
    expect(
      (await send(await shop.logIn(), 'profile/password', { password: newPassword })).code,
    ).toBe('STEP_UP_REQUIRED')
    const cookie = await shop.logInConfirmed()
    expect(await send(cookie, 'profile/password', { password: 'short' })).toMatchObject({
      code: 'WEAK_PASSWORD',
      message: 'The password must have at least 12 characters.',
    })
    expect(await send(cookie, 'profile/password', { password: 'unbelievable' })).toMatchObject({
      code: 'WEAK_PASSWORD',
      message: expect.stringContaining('most common passwords'),
    })
  })

  it('replaces the former password and ends the other sessions, but not the current session', async () => {
    const there = await logInFrom(firefox, '203.0.113.7')
    const cookie = await shop.logInConfirmed()
    const { status, sessions } = await send(cookie, 'profile/password', { password: newPassword })
    expect([status, sessions?.length]).toEqual([200, 1])
    expect(await replay(there)).toEqual([401, 400, 401])
    expect(await send(cookie, 'me?session=missing')).toMatchObject({ ok: true })
    await expect(shop.logIn()).rejects.toThrow('could not sign in')
    const again = await shop.logIn({ ...testAdmin, password: newPassword })
    expect((await profile(again)).status).toBe(200)
  })
})
