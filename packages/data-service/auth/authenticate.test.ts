import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { testKeys } from '#tests/support/app/test-keys.ts'
import { staffEmail } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { openAuth } from './auth-context.ts'
import { createAuthenticate } from './authenticate.ts'
import { importJwtKey, type JwtKey, signJwt } from './jwt.ts'

let shop: TestApp
let key: JwtKey
beforeAll(async () => {
  shop = await createTestApp()
  key = await importJwtKey(testKeys.accessTokens)
})
afterAll(() => shop.close())

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
const inAMinute = () => inSeconds(60)
const inAnHour = () => inSeconds(3_600)
const inTenYears = () => inSeconds(10 * 365 * 24 * 3_600)

function readServices(headers: Record<string, string>) {
  return shop.inject({ url: '/rest/v1/services?select=name&limit=1', headers })
}
const bearer = (token: string) => ({
  apikey: shop.config.anonKey,
  authorization: `Bearer ${token}`,
})

describe('a caller of the data service', () => {
  it('is a visitor with the public key, in either header', async () => {
    expect((await readServices({ apikey: shop.config.anonKey })).statusCode).toBe(200)
    const alone = await readServices({ authorization: `Bearer ${shop.config.anonKey}` })
    expect(alone.statusCode).toBe(200)
  })

  it('is refused without a key, and with a wrong one', async () => {
    const none = await readServices({})
    expect(none.statusCode).toBe(401)
    expect(none.json()).toMatchObject({ message: 'No API key found in request' })
    expect((await readServices({ apikey: 'another key' })).statusCode).toBe(401)
    expect((await readServices({ apikey: shop.config.anonKey.slice(0, -1) })).statusCode).toBe(401)
  })

  it('hears that a token has expired, as PostgREST says it', async () => {
    const token = await signJwt({ role: 'authenticated', exp: inAnHour() - 3_601 }, key)
    const response = await readServices(bearer(token))
    expect(response.statusCode).toBe(401)
    expect(response.json()).toEqual({
      code: 'PGRST301',
      message: 'JWT expired',
      details: null,
      hint: null,
    })
    expect(response.headers['www-authenticate']).toBe(
      'Bearer error="invalid_token", error_description="JWT expired"',
    )
  })

  it('cannot make itself an admin with a token of its own', async () => {
    const claims = {
      role: 'authenticated',
      app_metadata: { role: 'admin' },
      session_id: '00000000-0000-4000-8000-000000000000',
      exp: inAMinute(),
    }
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`
    const guessed = await signJwt(claims, await importJwtKey('guessed'))
    for (const token of [guessed, unsigned, 'a.b.c', await signJwt(claims, key)]) {
      const response = await readServices(bearer(token))
      expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([
        401,
        'PGRST301',
      ])
    }
  })

  it('cannot take a role that is not meant for callers', async () => {
    const roles = ['shop_server', 'supabase_auth_admin', 'authenticator', 'postgres', 1, 'anon']
    for (const role of roles) {
      const token = await signJwt({ role, exp: inAMinute() }, key)
      expect((await readServices(bearer(token))).statusCode).toBe(401)
    }
  })
})

describe('who holds the signing key, as from a stolen backup,', () => {
  const readBookings = (token: string) =>
    shop.inject({ url: '/rest/v1/bookings?select=id&limit=1', headers: bearer(token) })
  const messageFor = async (claims: object) => {
    const response = await readBookings(await signJwt({ ...claims }, key))
    return [response.statusCode, response.json<{ message?: string }>().message]
  }

  it('is never the service role, in either header', async () => {
    for (const exp of [inAMinute(), inTenYears()]) {
      const token = await signJwt({ role: 'service_role', exp }, key)
      for (const headers of [bearer(token), { apikey: token }]) {
        const response = await shop.inject({ url: '/rest/v1/bookings?select=id&limit=1', headers })
        expect(response.statusCode).toBe(401)
      }
    }
  })

  it('is nobody without a session that is open, of the same user, for as long as tokens live', async () => {
    const { rows } = await shop.database.owner.query<{ user_id: string; session_id: string }>(
      `insert into auth.sessions (user_id, not_after)
       select id, now() + interval '1 day' from auth.users limit 1 returning user_id, id as session_id`,
    )
    const { user_id: sub, session_id } = rows[0] ?? {}
    const claims = { role: 'authenticated', app_metadata: { role: 'admin' }, sub, session_id }
    expect(await messageFor({ ...claims, exp: inAMinute() })).toEqual([200, undefined])
    const ended = [401, 'JWT session has ended']
    const { session_id: _, ...withoutSession } = claims
    expect(await messageFor({ ...withoutSession, exp: inAMinute() })).toEqual(ended)
    const otherUserId = '00000000-0000-4000-8000-000000000000'
    expect(await messageFor({ ...claims, sub: otherUserId, exp: inAMinute() })).toEqual(ended)
    const tooLong = [401, 'JWT is valid for longer than this site allows']
    expect(await messageFor({ ...claims, exp: inAnHour() })).toEqual(tooLong)
    expect(await messageFor({ ...claims, exp: inTenYears() })).toEqual(tooLong)
  })
})

describe('what the database sees of a request', () => {
  async function identityOf(headers: Record<string, string>, ip = '192.0.2.1', line = {}) {
    const auth = await openAuth({
      database: shop.database.database,
      keys: testKeys,
      now: Date.now,
      publicUrl: 'http://test',
    })
    const authenticate = createAuthenticate({
      auth,
      anonKey: 'the-key',
      addressKey: 'k',
      isEnforced: true,
    })
    const caller = await authenticate({
      headers: { apikey: 'the-key', ...headers },
      ip,
      ...line,
    } as unknown as Parameters<typeof authenticate>[0])
    if (!caller.ok) throw new Error('refused')
    return caller.identity.headers
  }

  it('is the form headers and a keyed hash of the address, never what else the client sends', async () => {
    const headers = await identityOf({
      'x-form-token': 'a token',
      'x-form-website': '',
      'x-client-address-hash': 'forged',
      'x-forwarded-for': '203.0.113.9',
      cookie: 'secret',
      'user-agent': 'someone',
    })
    expect(headers).toEqual({
      'x-form-token': 'a token',
      'x-form-website': '',
      'x-client-address-hash': expect.stringMatching(/^[\w-]{43}$/) as string,
    })
    expect(JSON.stringify(headers)).not.toContain('192.0.2.1')
  })

  it('names the same client alike and others otherwise', async () => {
    const hashOf = async (ip: string) => (await identityOf({}, ip))?.['x-client-address-hash']
    expect(await hashOf('2001:db8::1')).toBe(await hashOf('2001:db8::2'))
    expect(await hashOf('192.0.2.1')).not.toBe(await hashOf('192.0.2.2'))
  })

  it('names the networks around the client where rows are inserted, and nowhere else', async () => {
    const post = { method: 'POST', routeOptions: { url: '/rest/v1/:relation' } }
    const call = { method: 'POST', routeOptions: { url: '/rest/v1/rpc/:function' } }
    const namesOf = async (ip: string, line: object) =>
      Object.entries((await identityOf({}, ip, line)) ?? {}).filter(([name]) => /-\d/.test(name))
    const [one, neighbor] = [
      await namesOf('2001:db8:a:b00::1', post),
      await namesOf('2001:db8:a:c00::1', post),
    ]
    expect(one.map(([name]) => name)).toEqual(['x-client-56-hash', 'x-client-48-hash'])
    expect(one[0]).not.toEqual(neighbor[0])
    expect(one[1]).toEqual(neighbor[1])
    const small = await namesOf('203.0.113.1', post)
    expect(small.map(([name]) => name)).toEqual(['x-client-24-hash'])
    expect(small).toEqual(await namesOf('203.0.113.2', post))
    expect(await namesOf('203.0.113.1', { ...post, method: 'PUT' })).toEqual(small)
    expect(await namesOf('203.0.113.1', call)).toEqual([])
    expect(await namesOf('203.0.113.1', { ...post, method: 'GET' })).toEqual([])
    expect(await identityOf({ 'x-client-48-hash': 'forged' }, 'unknown', post)).not.toHaveProperty(
      'x-client-48-hash',
    )
  })

  it('is bounded', async () => {
    const headers = await identityOf({ 'x-form-token': 'x'.repeat(5_000) })
    expect(headers?.['x-form-token']).toHaveLength(1_000)
  })
})

describe('an ended session', () => {
  it('closes the door to its access token before that runs out', async () => {
    const client = await shop.createClient()
    const email = staffEmail(testAdmin.username)
    const { data } = await client.auth.signInWithPassword({ email, password: testAdmin.password })
    const token = data.session?.access_token ?? ''
    expect((await readServices(bearer(token))).statusCode).toBe(200)
    await shop.database.owner.query('delete from auth.sessions')
    const response = await readServices(bearer(token))
    expect(response.json()).toMatchObject({ code: 'PGRST301', message: 'JWT session has ended' })
  })
})
