import { randomUUID } from 'node:crypto'
import * as otpauth from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpoints } from '#contracts/api/endpoints.ts'
import { teamCommands } from '#contracts/team.ts'
import { staffEmail } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'

const password = 'a long password of Mei'
const mei = { username: 'mei', password }

let shop: TestApp
let ownerCookie = ''
/** The session cookie that the new owner receives when they accept the invitation. */
let cookie = ''
beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.database.owner.query(
    `delete from public.staff_invitations; delete from internal.code_apps; delete from internal.pending_sign_ins;
     delete from public.staff_accounts where username not in ('admin', 'ana');
     delete from public.employees; delete from public.emails;
     delete from auth.users where email <> '${staffEmail(testAdmin.username)}'`,
  )
  ownerCookie = await shop.logInConfirmed()
  cookie = await accept(await invite(null))
})

const post = (url: string, payload: object, as = cookie) =>
  shop.inject({ method: 'POST', url, payload, headers: { cookie: as } })
const whoIs = async (as: string) =>
  (await shop.inject({ url: '/api/admin/me?session=missing', headers: { cookie: as } })).json<{
    needsCodeApp?: boolean
    session: { access_token: string; refresh_token: string }
  }>()

/** Invites an owner, or sends a link that resets the password of an account. Returns the path of the link. */
async function invite(accountId: string | null): Promise<string> {
  const invited = { name: 'Mei Kato', email: 'mei@example.com', role: 'owner' }
  const input = { invitationId: randomUUID(), accountId, ...invited }
  const sent = await post(
    teamCommands.inviteOwner.path,
    { commandId: randomUUID(), input },
    ownerCookie,
  )
  expect(sent.json()).toMatchObject({ ok: true })
  const { rows } = await shop.database.owner.query<{ text: string }>(
    'select text_body as text from public.emails order by created_at desc limit 1',
  )
  return /\/join\/[\w-]{43}/.exec(rows[0]?.text ?? '')?.[0] ?? ''
}

/** Submits the form of the invitation page. Returns the cookie of the new dashboard session. */
async function accept(path: string): Promise<string> {
  const response = await shop.inject({
    method: 'POST',
    url: path,
    payload: new URLSearchParams({ password }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
  })
  expect(response.body).toContain('You have joined, Mei.')
  const session = response.cookies.find(({ name }) => name === 'admin_session')
  return `admin_session=${session?.value}`
}

async function setUpCodeApp(): Promise<void> {
  await post('/api/admin/confirm-password', { password })
  const { secret } = (await post('/api/admin/code-app/start', {})).json<{ secret: string }>()
  const code = new otpauth.TOTP({ secret: otpauth.Secret.fromBase32(secret) }).generate()
  expect((await post('/api/admin/code-app/confirm', { code })).statusCode).toBe(200)
}

/** Returns the HTTP statuses of four requests to the REST API: two reads, a function call and an insertion. */
async function reachData(accessToken: string): Promise<number[]> {
  const call = async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const headers = { apikey: shop.config.anonKey, authorization: `Bearer ${accessToken}` }
    const response = await shop.inject({
      method,
      url: `/rest/v1/${path}`,
      headers,
      ...(payload && { payload }),
    })
    return response.statusCode
  }
  return [
    await call('GET', 'customers?select=id'),
    await call('GET', 'bays?select=id'),
    await call('POST', 'rpc/read_today', {}),
    await call('POST', 'quote_requests', { customer_name: 'X' }),
  ]
}

const expectNothingReached = async (as: string) => {
  const { session, ...account } = await whoIs(as)
  expect(account).toMatchObject({ ok: true, needsCodeApp: true })
  expect(account).not.toHaveProperty('onboarding')
  expect(await reachData(session.access_token)).toEqual([401, 401, 401, 401])
  const stream = await shop.inject({ url: '/api/admin/live', headers: { cookie: as } })
  expect([stream.statusCode, stream.json()]).toMatchObject([403, { code: 'CODE_APP_REQUIRED' }])
}

describe('an account whose invitation was accepted with a password', () => {
  it('can only set up the authenticator app, read and rename its profile, confirm its identity and sign out', async () => {
    await expectNothingReached(cookie)
    const ofStaff = endpoints.filter(({ rights }) => ['staff', 'admin', 'owner'].includes(rights))
    const reached: string[] = []
    for (const { method, path } of ofStaff) {
      const url = path.replaceAll(/:\w+/g, randomUUID())
      const sent = await shop.inject({
        method,
        url,
        headers: { cookie },
        ...(method === 'POST' && { payload: {} }),
      })
      if (sent.body.includes('CODE_APP_REQUIRED')) expect(sent.statusCode).toBe(403)
      else reached.push(`${method} ${path}`)
    }
    expect(reached.toSorted()).toEqual([
      'GET /api/admin/code-app',
      'GET /api/admin/profile',
      'POST /api/admin/code-app/confirm',
      'POST /api/admin/code-app/start',
      'POST /api/admin/confirm-passkey',
      'POST /api/admin/confirm-passkey/options',
      'POST /api/admin/confirm-password',
      'POST /api/admin/profile/name',
    ])
    expect((await post('/api/admin/logout', {})).statusCode).toBe(200)
  })

  it('gets no further rights by a new sign-in, and is refused by the OAuth password grant at /auth/v1', async () => {
    const signedIn = await post('/api/admin/login', mei, '')
    expect(signedIn.json()).toMatchObject({ ok: true, needsCodeApp: true })
    expect(signedIn.json()).not.toHaveProperty('onboarding')
    await expectNothingReached(await shop.logIn(mei))
    const grant = await shop.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      headers: { apikey: shop.config.anonKey },
      payload: { email: staffEmail('mei'), password },
    })
    const wrong = await shop.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      headers: { apikey: shop.config.anonKey },
      payload: { email: staffEmail('mei'), password: 'a wrong password' },
    })
    expect(grant.statusCode).toBe(400)
    expect([grant.statusCode, grant.body]).toEqual([wrong.statusCode, wrong.body])
  })

  it('gets no further rights by a refreshed access token', async () => {
    const { session } = await whoIs(cookie)
    const refreshed = await shop.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      headers: { apikey: shop.config.anonKey },
      payload: { refresh_token: session.refresh_token },
    })
    const { access_token: token } = refreshed.json<{ access_token: string }>()
    expect(await reachData(token)).toEqual([401, 401, 401, 401])
  })

  it('gets the rights of its role with the first code of the authenticator app, in the same session and with the same access token', async () => {
    const { session } = await whoIs(cookie)
    await setUpCodeApp()
    const account = await whoIs(cookie)
    expect(account).toMatchObject({ ok: true, role: 'owner' })
    expect(account).not.toHaveProperty('needsCodeApp')
    expect((await reachData(session.access_token)).slice(0, 3)).toEqual([200, 200, 200])
    const audit = await shop.inject({ url: '/api/outbox', headers: { cookie } })
    expect(audit.statusCode).toBe(200)
    const again = await post('/api/admin/login', mei, '')
    expect(again.json()).toMatchObject({ ok: false, code: 'SECOND_FACTOR' })
  })

  it('keeps the rights of its role when the team member switches the authenticator app off later', async () => {
    await setUpCodeApp()
    expect((await post('/api/admin/code-app/switch-off', {})).statusCode).toBe(200)
    const again = await post('/api/admin/login', mei, '')
    expect(again.json()).toMatchObject({ ok: true, role: 'owner' })
    expect(again.json()).not.toHaveProperty('needsCodeApp')
  })

  it('needs an authenticator app again after a new invitation was accepted with a password', async () => {
    await setUpCodeApp()
    const { rows } = await shop.database.owner.query<{ user_id: string }>(
      `select user_id from public.staff_accounts where username = 'mei'`,
    )
    const renewed = await accept(await invite(rows[0]?.user_id ?? ''))
    expect(await whoIs(renewed)).toMatchObject({ needsCodeApp: true })
    await expectNothingReached(renewed)
  })

  it('adds no entry about the required authenticator app to the settings history', async () => {
    await setUpCodeApp()
    const { rows } = await shop.database.owner.query(
      `select after from public.settings_history where after ? 'needs_code_app'`,
    )
    expect(rows).toEqual([])
  })
})

it('The account of the first start needs no authenticator app', async () => {
  const account = await whoIs(ownerCookie)
  expect(account).toMatchObject({ ok: true, role: 'owner' })
  expect(account).not.toHaveProperty('needsCodeApp')
})
