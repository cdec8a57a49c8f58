import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { adminSessionEndpoints, type DataSession } from '#contracts/admin-session.ts'
import { rateLimitMessage } from '#contracts/api/rate-limit-message.ts'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'

let shop: TestApp
let clockOffsetMs = 0
beforeAll(async () => {
  shop = await createTestApp({ now: () => Date.now() + clockOffsetMs })
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.forgetRefusals()
  clockOffsetMs = 0
  await shop.database.owner.query('delete from internal.rate_limits')
})

const logIn = (payload: unknown = testAdmin, headers: Record<string, string> = {}) =>
  shop.inject({ method: 'POST', url: '/api/admin/login', payload: payload as object, headers })
const me = (cookie: string, query = '') =>
  shop.inject({ url: `/api/admin/me${query}`, headers: { cookie } })
const logOut = (cookie: string) =>
  shop.inject({ method: 'POST', url: '/api/admin/logout', headers: { cookie } })

type Response = { json(): unknown }
const readMe = (response: Response) =>
  z.parse(adminSessionEndpoints.whoAmI.response, response.json())
function readLogIn(response: Response) {
  const { session, user } = z.parse(adminSessionEndpoints.logIn.response, response.json())
  if (!session) throw new Error('the response has no data session')
  return { user, session }
}

async function signedIn() {
  const response = await logIn()
  const [cookie] = response.cookies
  const { session } = readLogIn(response)
  return { cookie: `${cookie?.name}=${cookie?.value}`, session }
}

/** Requests a new data session (tokens for the REST API), like a signed-in browser that has lost its previous one. */
async function openDataSession(cookie: string): Promise<DataSession> {
  const response = readMe(await me(cookie, '?session=missing'))
  if (!response.ok || !response.session) throw new Error('the response has no data session')
  return response.session
}

/** Returns the HTTP status with which the REST API responds to an access token. */
async function readsTasks(session: DataSession | undefined): Promise<number> {
  const headers = {
    apikey: shop.config.anonKey,
    authorization: `Bearer ${session?.access_token}`,
  }
  return (await shop.inject({ url: '/rest/v1/tasks?select=id', headers })).statusCode
}

/** Returns the HTTP status with which the auth API responds to a refresh token. */
async function refreshes({ refresh_token }: DataSession): Promise<number> {
  const url = '/auth/v1/token?grant_type=refresh_token'
  return (await shop.inject({ method: 'POST', url, payload: { refresh_token } })).statusCode
}

describe('login', () => {
  it('returns the user and a session of the REST API, with which the browser can read records', async () => {
    const response = await logIn()
    expect(response.statusCode).toBe(200)
    const body = readLogIn(response)
    expect(body.user).toEqual({ username: 'admin' })
    const client = await shop.createClient()
    expect((await client.auth.setSession(body.session)).error).toBeNull()
    expect((await client.from('tasks').select('id')).error).toBeNull()
  })

  it('sets a cookie that scripts cannot read and other sites cannot send', async () => {
    const response = await logIn()
    expect(response.headers['set-cookie']).toContainEqual(
      expect.stringMatching(
        /^admin_session=[\w-]{43}; Max-Age=2592000; Path=\/api; HttpOnly; SameSite=Strict$/,
      ),
    )
    expect(response.headers['cache-control']).toBe('no-store')
  })

  it('accepts the username in any letter case and returns it as it was created', async () => {
    const response = await logIn({ ...testAdmin, username: ' ADMIN ' })
    expect(response.json()).toMatchObject({ ok: true, user: { username: 'admin' } })
  })

  it('returns the same response for a wrong password and an unknown user', async () => {
    const attempts = [
      { username: 'admin', password: 'wrong' },
      { username: 'nobody', password: 'wrong' },
    ]
    for (const attempt of attempts) {
      const response = await logIn(attempt)
      expect([response.statusCode, response.json()]).toEqual([
        401,
        { ok: false, code: 'INVALID_CREDENTIALS', message: 'Invalid username or password' },
      ])
      expect(response.cookies).toEqual([])
    }
  })

  it('refuses a user without the admin role', async () => {
    await shop.database.owner.query(`update auth.users set raw_app_meta_data = '{"role":"guest"}'`)
    await shop.database.owner.query('delete from auth.sessions')
    expect((await logIn()).statusCode).toBe(401)
    expect((await shop.database.owner.query('select from auth.sessions')).rowCount).toBe(0)
    await shop.database.owner.query(
      `update auth.users set raw_app_meta_data = '{"role":"admin","username":"admin"}'`,
    )
  })

  it('refuses a body without credentials', async () => {
    for (const body of [{}, { username: 'admin' }, { username: {}, password: [] }, []]) {
      expect((await logIn(body)).json()).toMatchObject({ ok: false, code: 'BAD_REQUEST' })
    }
    const long = await logIn({ username: 'admin', password: 'x'.repeat(201) })
    expect(long.statusCode).toBe(400)
  })

  it('refuses further passwords after ten wrong ones, including wrong ones at /auth/v1', async () => {
    const statuses = []
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await logIn({ username: 'admin', password: 'wrong' })).statusCode)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    const correct = await logIn()
    const wait = Number(correct.headers['retry-after'])
    expect(wait).toBeGreaterThan(0)
    expect(correct.json()).toEqual({
      ok: false,
      code: 'RATE_LIMITED',
      message: rateLimitMessage(wait),
      waitSeconds: wait,
    })
    const dataServiceResponse = await shop.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      payload: { email: 'admin@staff.torqueandtiming.example', password: testAdmin.password },
    })
    expect(dataServiceResponse.statusCode).toBe(429)
  })

  it('ends the previous session of the browser', async () => {
    const { cookie } = await signedIn()
    await logIn(testAdmin, { cookie })
    expect((await me(cookie)).json()).toMatchObject({ ok: false })
  })
})

describe('a page of another site', () => {
  it('cannot log in, log out or change data, even with a valid cookie', async () => {
    const { cookie } = await signedIn()
    const crossOriginHeaders = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of crossOriginHeaders) {
      const login = await logIn(testAdmin, headers)
      expect([login.statusCode, login.cookies]).toEqual([403, []])
      const logout = await shop.inject({
        method: 'POST',
        url: '/api/admin/logout',
        headers: { cookie, ...headers },
      })
      expect(logout.json()).toMatchObject({ ok: false, code: 'CROSS_ORIGIN' })
    }
    expect((await me(cookie)).json()).toMatchObject({ ok: true })
  })

  it('is refused, whereas the shop’s own pages are accepted at the public URL and at each host name of the machine', async () => {
    for (const origin of [shop.config.publicUrl, 'http://127.0.0.1:3000', 'http://shop.local']) {
      const host = new URL(origin).host
      expect((await logIn(testAdmin, { origin, host })).statusCode).toBe(200)
    }
  })

  it('cannot send an HTML form in place of JSON', async () => {
    const response = await shop.inject({
      method: 'POST',
      url: '/api/admin/login',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `username=admin&password=${encodeURIComponent(testAdmin.password)}`,
    })
    expect(response.statusCode).toBe(415)
  })
})

describe('reading the session', () => {
  it('returns the code UNAUTHENTICATED with status 200 when the browser has no session', async () => {
    for (const cookie of ['', 'admin_session=', `admin_session=${'A'.repeat(43)}`, 'x']) {
      const response = await me(cookie)
      expect([response.statusCode, response.json()]).toEqual([
        200,
        { ok: false, code: 'UNAUTHENTICATED', message: 'Please sign in.' },
      ])
    }
  })

  it('returns tokens for the REST API only when the browser has no such tokens', async () => {
    const { cookie } = await signedIn()
    expect((await me(cookie)).json()).toEqual({
      ok: true,
      user: { username: 'admin' },
      name: 'admin',
      role: 'owner',
      onboarding: expect.objectContaining({ isHidden: false }),
    })
    const response = readMe(await me(cookie, '?session=missing'))
    const session = response.ok ? response.session : undefined
    const client = await shop.createClient()
    const { error } = await client.auth.setSession(
      session ?? { access_token: '', refresh_token: '' },
    )
    expect(error).toBeNull()
  })

  it('signs out a browser whose user was deleted', async () => {
    const { cookie } = await signedIn()
    await shop.database.owner.query(
      `update internal.admin_sessions set user_id = gen_random_uuid()`,
    )
    expect((await me(cookie, '?session=missing')).json()).toMatchObject({ ok: false })
    expect((await me(cookie)).json()).toMatchObject({ ok: false })
  })

  it.each([[`banned_until = now() + interval '1 day'`, 'banned_until = null']])(
    'refuses the cookie on every route once its user has %s',
    async (change, back) => {
      const { cookie } = await signedIn()
      const readOperations = async () =>
        (await shop.inject({ url: '/api/operations', headers: { cookie } })).statusCode
      expect(await readOperations()).toBe(200)
      await shop.database.owner.query(`update auth.users set ${change}`)
      expect((await me(cookie)).json()).toMatchObject({ ok: false, code: 'UNAUTHENTICATED' })
      expect(await readOperations()).toBe(401)
      await shop.database.owner.query(`update auth.users set ${back}`)
    },
  )

  it('ends the sign-in session, together with its sessions of the REST API, after twelve hours without use', async () => {
    const { cookie, session } = await signedIn()
    const unusedFor = (time: string) =>
      shop.database.owner.query(
        `update internal.admin_sessions set last_used_at = now() - interval '${time}'`,
      )
    await unusedFor('11 hours 55 minutes')
    const late = await openDataSession(cookie)
    expect(late.expires_in).toBeLessThanOrEqual(300)
    await unusedFor('12 hours')
    expect((await me(cookie)).json()).toMatchObject({ ok: false })
    for (const data of [session, late]) {
      expect([await readsTasks(data), await refreshes(data)]).toEqual([401, 400])
    }
  })

  it('extends the sign-in session, but not when the page only requests new tokens for the REST API', async () => {
    const { cookie } = await signedIn()
    const lastUse = async () => {
      const { rows } = await shop.database.owner.query<{ hours: number }>(
        `select round(extract(epoch from now() - last_used_at) / 3600)::int as hours
         from internal.admin_sessions order by created_at desc limit 1`,
      )
      return rows[0]?.hours
    }
    await shop.database.owner.query(
      `update internal.admin_sessions set last_used_at = now() - interval '3 hours'`,
    )
    await me(cookie, '?session=missing')
    await shop.inject({ url: '/api/operations', headers: { cookie } })
    expect(await lastUse()).toBe(3)
    await me(cookie)
    expect(await lastUse()).toBe(0)
  })

  it('does not store the token of the session cookie in plain text in the database', async () => {
    const { cookie } = await signedIn()
    const { rows } = await shop.database.owner.query<{ kept: string }>(
      'select json_agg(s)::text as kept from internal.admin_sessions s',
    )
    expect(rows[0]?.kept).not.toContain(cookie.replace('admin_session=', ''))
  })
})

describe('logging out', () => {
  it('deletes the session cookie, and ends the sign-in session and all its sessions of the REST API', async () => {
    const { cookie, session } = await signedIn()
    const later = readMe(await me(cookie, '?session=missing'))
    const response = await logOut(cookie)
    expect(response.json()).toEqual({ ok: true })
    expect(response.headers['set-cookie']).toMatch(
      /^admin_session=; Max-Age=0; Path=\/api; .*HttpOnly; SameSite=Strict$/,
    )
    expect((await me(cookie)).json()).toMatchObject({ ok: false })
    for (const data of [session, later.ok ? later.session : undefined]) {
      const client = await shop.createClient()
      const refreshed = await client.auth.refreshSession({
        refresh_token: data?.refresh_token ?? '',
      })
      expect(refreshed.error?.code).toBe('refresh_token_not_found')
    }
  })

  it('ends all sessions of the REST API in the browser, however many there are', async () => {
    const { cookie, session } = await signedIn()
    const handed = [session]
    for (let count = 0; count < 24; count += 1) handed.push(await openDataSession(cookie))
    // The newest data session (tokens for the REST API) works. The oldest one has ended, because a signed-in browser
    // may have only twenty data sessions.
    expect(await readsTasks(handed.at(-1))).toBe(200)
    expect(await readsTasks(session)).toBe(401)
    await logOut(cookie)
    expect(new Set(await Promise.all(handed.map(readsTasks)))).toEqual(new Set([401]))
    expect(new Set(await Promise.all(handed.map(refreshes)))).toEqual(new Set([400]))
  })

  it('leaves no session of the REST API open, even if a concurrent request creates one', async () => {
    await shop.database.owner.query('delete from auth.sessions')
    for (let round = 0; round < 10; round += 1) {
      const { cookie } = await signedIn()
      await Promise.all([me(cookie, '?session=missing'), logOut(cookie)])
    }
    expect((await shop.database.owner.query('select from auth.sessions')).rowCount).toBe(0)
  })

  it('succeeds when the browser has no session', async () => {
    expect((await logOut('')).json()).toEqual({ ok: true })
  })

  it('keeps other browsers signed in', async () => {
    const [here, there] = [await signedIn(), await signedIn()]
    await logOut(here.cookie)
    expect((await me(there.cookie)).json()).toMatchObject({ ok: true })
  })
})

describe('a login over TLS', () => {
  it('marks the cookie as Secure and sends Strict-Transport-Security', async () => {
    const secure = await createTestApp({ config: { publicUrl: 'https://shop.example' } })
    const response = await secure.inject({
      method: 'POST',
      url: '/api/admin/login',
      payload: testAdmin,
    })
    for (const cookie of [response.headers['set-cookie']].flat()) {
      expect(cookie).toMatch(/; Secure/)
    }
    expect(response.cookies).toHaveLength(2)
    expect(response.headers['strict-transport-security']).toMatch(/^max-age=/)
    await secure.close()
  })
})
