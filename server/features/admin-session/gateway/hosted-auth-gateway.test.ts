import { describe, expect, it } from 'vitest'
import { importJwtKey, signJwt } from '@local/data-service'
import { hostedAuthGateway } from './hosted-auth-gateway.ts'

type Call = { method: string; path: string; apikey: string; token: string; body: unknown }
type Reply = { status: number; body?: unknown }

/** Creates a fake hosted auth service that returns the prepared responses and records its requests. */
function openHosted(responses: Readonly<Record<string, Reply>>) {
  const calls: Call[] = []
  const fetchLike: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const headers = new Headers(init?.headers)
    const path = pathname.replace('/auth/v1', '') + search
    const method = init?.method ?? 'GET'
    calls.push({
      method,
      path,
      apikey: headers.get('apikey') ?? '',
      token: (headers.get('authorization') ?? '').replace('Bearer ', ''),
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
    })
    const { status, body } = responses[`${method} ${path}`] ?? { status: 500, body: {} }
    return Promise.resolve(
      new Response(body === undefined ? null : JSON.stringify(body), { status }),
    )
  }
  const gateway = hostedAuthGateway({
    url: 'https://project.supabase.example',
    anonKey: 'anon',
    serviceRoleKey: 'service',
    fetch: fetchLike,
  })
  return { gateway, calls }
}

const admin = { userId: 'id-1', username: 'admin' }
const adminUser = {
  id: 'id-1',
  email: 'admin@staff.torqueandtiming.example',
  app_metadata: { role: 'admin', username: 'admin', provider: 'email' },
}
const accessToken = await signJwt({ session_id: 'session-1' }, await importJwtKey('their key'))
const session = {
  access_token: accessToken,
  refresh_token: 'refresh',
  expires_in: 3600,
  expires_at: 1_800_000_000,
}
const passwordGrant = 'POST /token?grant_type=password'

describe('signing in at a hosted auth service', () => {
  it('sends the username as an email address, with the public key, and returns the session', async () => {
    const { gateway, calls } = openHosted({
      [passwordGrant]: { status: 200, body: { ...session, user: adminUser } },
    })
    const outcome = await gateway.signIn('Admin', 'secret', 'unknown')
    expect(outcome).toMatchObject({ ok: true, value: { admin, opened: { id: 'session-1' } } })
    expect(calls).toMatchObject([
      { apikey: 'anon', body: { email: adminUser.email, password: 'secret' } },
    ])
  })

  it('refuses users without the admin role', async () => {
    const user = { ...adminUser, app_metadata: {} }
    const { gateway } = openHosted({ [passwordGrant]: { status: 200, body: { ...session, user } } })
    expect(await gateway.signIn('admin', 'x', 'unknown')).toEqual({
      ok: false,
      refusal: 'INVALID_CREDENTIALS',
    })
  })

  it('distinguishes wrong credentials and throttling from an outage of the service', async () => {
    const signInAfter = (status: number) =>
      openHosted({ [passwordGrant]: { status, body: {} } }).gateway.signIn('admin', 'x', 'unknown')
    expect(await signInAfter(400)).toEqual({ ok: false, refusal: 'INVALID_CREDENTIALS' })
    expect(await signInAfter(429)).toEqual({ ok: false, refusal: 'RATE_LIMITED' })
    await expect(signInAfter(500)).rejects.toThrow('unexpected status 500')
  })
})

describe('a session without a password', () => {
  const responses = {
    'POST /admin/generate_link': { status: 200, body: { hashed_token: 'once' } },
    'POST /verify': { status: 200, body: { ...session, user: adminUser } },
  }

  it('is created with a login link that the server itself redeems immediately', async () => {
    const { gateway, calls } = openHosted(responses)
    expect(await gateway.openSession(admin, 0)).toMatchObject({ id: 'session-1' })
    expect(calls).toMatchObject([
      { apikey: 'service', body: { type: 'magiclink', email: adminUser.email } },
      { apikey: 'anon', body: { type: 'magiclink', token_hash: 'once' } },
    ])
  })

  it('is not created for a deleted user', async () => {
    const { gateway } = openHosted({ 'POST /admin/generate_link': { status: 404, body: {} } })
    expect(await gateway.openSession(admin, 0)).toBeUndefined()
  })

  it('can end all sessions of its user with its own access token', async () => {
    const { gateway, calls } = openHosted({
      ...responses,
      'POST /logout?scope=global': { status: 204 },
    })
    await gateway.closeSessions(admin)
    expect(calls.at(-1)).toMatchObject({ path: '/logout?scope=global', token: accessToken })
  })
})

it('closeSession ends only the session whose access token it receives', async () => {
  const { gateway, calls } = openHosted({ 'POST /logout?scope=local': { status: 204 } })
  await gateway.closeSession({ id: 'session-1', session })
  expect(calls).toMatchObject([{ path: '/logout?scope=local', token: accessToken }])
})

describe('accounts at a hosted auth service', () => {
  const users = (...list: object[]) => ({
    'GET /admin/users?per_page=1000': { status: 200, body: { users: list } },
  })

  it('are found only if they have the database role of admins', async () => {
    const others = openHosted(users({ id: 'x', email: adminUser.email })).gateway
    expect(await others.findAdmin('admin')).toBeUndefined()
    expect(await openHosted(users(adminUser)).gateway.findAdmin('admin')).toEqual(admin)
  })

  it('are created as confirmed users with the admin role', async () => {
    const { gateway, calls } = openHosted({
      'POST /admin/users': { status: 200, body: adminUser },
    })
    expect(
      await gateway.createAdmin({ username: 'admin', password: 'secret', role: 'owner' }),
    ).toEqual({ ok: true, value: admin })
    expect(calls).toMatchObject([
      {
        apikey: 'service',
        body: {
          email_confirm: true,
          role: 'shop_owner',
          app_metadata: { role: 'admin', username: 'admin' },
        },
      },
    ])
  })

  it('are not created when the username is taken', async () => {
    const { gateway } = openHosted({ 'POST /admin/users': { status: 422, body: {} } })
    expect(await gateway.createAdmin({ username: 'admin', password: 'x', role: 'owner' })).toEqual({
      ok: false,
      refusal: 'USERNAME_TAKEN',
    })
  })

  it('get a new password in a request that contains their id', async () => {
    const { gateway, calls } = openHosted({
      ...users(adminUser),
      'PUT /admin/users/id-1': { status: 200, body: adminUser },
    })
    expect(await gateway.setPassword('admin', 'new')).toEqual({ ok: true, value: admin })
    expect(calls.at(-1)).toMatchObject({ body: { password: 'new' } })
    expect(await gateway.setPassword('nobody', 'new')).toMatchObject({
      refusal: 'UNKNOWN_USERNAME',
    })
  })

  it('get the database role of their staff account', async () => {
    const { gateway, calls } = openHosted({
      'PUT /admin/users/id-1': { status: 200, body: adminUser },
    })
    await gateway.recordRole('id-1', 'advisor')
    expect(calls.at(-1)).toMatchObject({ apikey: 'service', body: { role: 'shop_advisor' } })
  })

  it('are deleted by their id; deleting an account a second time is no failure', async () => {
    const { gateway, calls } = openHosted({
      'DELETE /admin/users/id-1': { status: 200, body: {} },
      'DELETE /admin/users/id-2': { status: 404, body: {} },
    })
    await gateway.deleteUser('id-1')
    expect(calls.at(-1)).toMatchObject({ method: 'DELETE', apikey: 'service' })
    await gateway.deleteUser('id-2')
    await expect(gateway.deleteUser('id-3')).rejects.toThrow('unexpected status 500')
  })
})
