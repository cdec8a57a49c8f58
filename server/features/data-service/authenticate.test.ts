import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importJwtKey, signJwt } from '@local/data-service'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { testKeys } from '#tests/support/app/test-keys.ts'
import { staffEmail } from '#server/features/admin-session/gateway/auth-gateway.ts'

let shop: TestApp
let key: CryptoKey
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

describe('a request to the REST API', () => {
  it('has the rights of a visitor if the header `apikey` or `Authorization` contains the public key', async () => {
    expect((await readServices({ apikey: shop.config.anonKey })).statusCode).toBe(200)
    const alone = await readServices({ authorization: `Bearer ${shop.config.anonKey}` })
    expect(alone.statusCode).toBe(200)
  })

  it('is refused without a key and with a wrong key', async () => {
    const none = await readServices({})
    expect(none.statusCode).toBe(401)
    expect(none.json()).toMatchObject({ message: 'No API key found in request' })
    expect((await readServices({ apikey: 'another key' })).statusCode).toBe(401)
    expect((await readServices({ apikey: shop.config.anonKey.slice(0, -1) })).statusCode).toBe(401)
  })

  it('gets PostgREST’s error for an expired token', async () => {
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

  it('is refused with a forged token of an admin', async () => {
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

  it('is refused with a signed token of any role but `authenticated`', async () => {
    const roles = ['shop_server', 'supabase_auth_admin', 'authenticator', 'postgres', 1, 'anon']
    for (const role of roles) {
      const token = await signJwt({ role, exp: inAMinute() }, key)
      expect((await readServices(bearer(token))).statusCode).toBe(401)
    }
  })
})

describe('a token that an attacker signs with a stolen signing key', () => {
  const readBookings = (token: string) =>
    shop.inject({ url: '/rest/v1/bookings?select=id&limit=1', headers: bearer(token) })
  const messageFor = async (claims: object) => {
    const response = await readBookings(await signJwt({ ...claims }, key))
    return [response.statusCode, response.json<{ message?: string }>().message]
  }

  it('never gets the rights of the service role, whether it is in the header `apikey` or `Authorization`', async () => {
    for (const exp of [inAMinute(), inTenYears()]) {
      const token = await signJwt({ role: 'service_role', exp }, key)
      for (const headers of [bearer(token), { apikey: token }]) {
        const response = await shop.inject({ url: '/rest/v1/bookings?select=id&limit=1', headers })
        expect(response.statusCode).toBe(401)
      }
    }
  })

  it('is refused if its user has no open session, or if its lifetime is longer than that of issued tokens', async () => {
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

describe('the access token of an ended session', () => {
  it('is refused even if the token has not expired', async () => {
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
