import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openAuth, signIn as signInDirectly } from '@local/data-service'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { testKeys } from '#tests/support/app/test-keys.ts'
import { staffEmail } from '#server/features/admin-session/gateway/auth-gateway.ts'

const credentials = { email: staffEmail(testAdmin.username), password: testAdmin.password }
const minutes = (count: number) => count * 60_000
const days = (count: number) => count * 24 * 60 * 60_000

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

async function signIn() {
  const client = await shop.createClient()
  const { data, error } = await client.auth.signInWithPassword(credentials)
  if (error) throw error
  return { client, session: data.session, user: data.user }
}

async function refresh(refreshToken: string) {
  const client = await shop.createClient()
  const { data, error } = await client.auth.refreshSession({ refresh_token: refreshToken })
  return { token: data.session?.refresh_token, code: error?.code, session: data.session }
}

describe('signing in at /auth/v1', () => {
  it('returns a session of the admin to supabase-js', async () => {
    const { session, user } = await signIn()
    expect(user).toMatchObject({
      email: credentials.email,
      role: 'authenticated',
      app_metadata: { role: 'admin', username: 'admin' },
    })
    expect(session.expires_in).toBe(15 * 60)
    expect(new Date(user.created_at).getTime()).toBeLessThanOrEqual(Date.now())
  })

  it('lets the client read a table that visitors cannot read', async () => {
    const { client } = await signIn()
    const visitor = await shop.createClient()
    const [asAdmin, asVisitor] = await Promise.all([
      client.from('tasks').select('id'),
      visitor.from('tasks').select('id'),
    ])
    expect(asAdmin).toMatchObject({ error: null, data: [] })
    expect(asVisitor.error?.code).toBe('42501')
  })

  it('returns the user to a client with a session', async () => {
    const { client, user } = await signIn()
    expect((await client.auth.getUser()).data.user).toEqual(user)
  })

  it('returns the same error for an unknown user and for a wrong password', async () => {
    const client = await shop.createClient()
    const responses = await Promise.all(
      [
        { email: credentials.email, password: 'wrong' },
        { email: 'nobody@staff.torqueandtiming.example', password: 'wrong' },
      ].map((attempt) => client.auth.signInWithPassword(attempt)),
    )
    for (const { error } of responses) {
      expect(error).toMatchObject({
        status: 400,
        code: 'invalid_credentials',
        message: 'Invalid login credentials',
      })
    }
  })

  it('accepts the email address in any letter case, and refuses a banned user', async () => {
    const client = await shop.createClient()
    const shouted = { ...credentials, email: credentials.email.toUpperCase() }
    expect((await client.auth.signInWithPassword(shouted)).error).toBeNull()
    await shop.database.owner.query(`update auth.users set banned_until = now() + interval '1 day'`)
    expect((await client.auth.signInWithPassword(credentials)).error?.code).toBe(
      'invalid_credentials',
    )
    await shop.database.owner.query('update auth.users set banned_until = null')
  })

  it('refuses the tokens of a user while the user is banned', async () => {
    const { session } = await signIn()
    const readTasks = async () => {
      const headers = {
        apikey: shop.config.anonKey,
        authorization: `Bearer ${session.access_token}`,
      }
      return (await shop.inject({ url: '/rest/v1/tasks?select=id', headers })).statusCode
    }
    expect(await readTasks()).toBe(200)
    await shop.database.owner.query(`update auth.users set banned_until = now() + interval '1 day'`)
    expect(await readTasks()).toBe(401)
    expect((await refresh(session.refresh_token)).code).toBe('user_banned')
    await shop.database.owner.query('update auth.users set banned_until = null')
    expect(await readTasks()).toBe(200)
    expect((await refresh(session.refresh_token)).code).toBeUndefined()
  })

  it('refuses a password that was changed while the sign-in was verifying it', async () => {
    const auth = await openAuth({
      database: shop.database.database,
      keys: testKeys,
      now: Date.now,
      publicUrl: 'http://test',
      passwords: {
        hash: () => Promise.resolve(''),
        async verify() {
          await shop.database.owner.query(
            `update auth.users set encrypted_password = 'new:' || encrypted_password`,
          )
          return true
        },
        isOutdated: () => false,
      },
    })
    const outcome = await signInDirectly(auth, credentials, (check) => check())
    expect(outcome).toEqual({ ok: false, refusal: 'invalid_credentials' })
    await shop.database.owner.query(
      `update auth.users set encrypted_password = substr(encrypted_password, 5)`,
    )
  })

  it('rehashes a password at sign-in if its hash has an outdated format', async () => {
    const { owner } = shop.database
    const readHash = async () =>
      (await owner.query<{ hash: string }>('select encrypted_password as hash from auth.users'))
        .rows[0]?.hash
    const before = await readHash()
    const passwords = {
      hash: () => Promise.resolve('a newer hash'),
      verify: () => Promise.resolve(true),
      isOutdated: (stored: string) => stored === before,
    }
    const auth = await openAuth({
      database: shop.database.database,
      keys: testKeys,
      now: Date.now,
      publicUrl: 'http://test',
      passwords,
    })
    expect((await signInDirectly(auth, credentials, (check) => check())).ok).toBe(true)
    expect(await readHash()).toBe('a newer hash')
    expect((await signInDirectly(auth, credentials, (check) => check())).ok).toBe(true)
    expect(await readHash()).toBe('a newer hash')
    await owner.query('update auth.users set encrypted_password = $1', [before])
  })

  it('refuses a sign-up', async () => {
    const client = await shop.createClient()
    const { error } = await client.auth.signUp({ email: 'me@example.com', password: 'long enough' })
    expect(error?.code).toBe('signup_disabled')
  })
})

describe('refreshing a session', () => {
  it('returns a new refresh token each time', async () => {
    const { session } = await signIn()
    const first = await refresh(session.refresh_token)
    const second = await refresh(first.token ?? '')
    expect(new Set([session.refresh_token, first.token, second.token]).size).toBe(3)
    expect(second.session?.user.email).toBe(credentials.email)
  })

  it('returns the same new refresh token to two tabs that refresh with the same token', async () => {
    const { session } = await signIn()
    const [one, other] = await Promise.all([
      refresh(session.refresh_token),
      refresh(session.refresh_token),
    ])
    expect(one.token).toBeTypeOf('string')
    expect(other.token).toBe(one.token)
    // A slower tab refreshes with the old refresh token after a faster tab of the same browser has already used the new
    // token.
    const ahead = await refresh(one.token ?? '')
    expect((await refresh(session.refresh_token)).token).toBe(ahead.token)
  })

  it('ends the session when a used refresh token is sent again after the grace period', async () => {
    const { session } = await signIn()
    const next = await refresh(session.refresh_token)
    clockOffsetMs = 11_000
    expect((await refresh(session.refresh_token)).code).toBe('refresh_token_already_used')
    expect((await refresh(next.token ?? '')).code).toBe('refresh_token_not_found')
    const client = await shop.createClient()
    const { error } = await client.auth.getUser(next.session?.access_token)
    expect(error?.name).toBe('AuthSessionMissingError')
  })

  it('keeps other sessions open when a reused refresh token ends one session', async () => {
    const [stolen, other] = [await signIn(), await signIn()]
    await refresh(stolen.session.refresh_token)
    clockOffsetMs = 11_000
    await refresh(stolen.session.refresh_token)
    expect((await refresh(other.session.refresh_token)).code).toBeUndefined()
  })

  it('refuses a refresh token that was never issued', async () => {
    expect((await refresh('made-up')).code).toBe('refresh_token_not_found')
  })

  it('ends the session fourteen days after its start, however often it was refreshed', async () => {
    const { session } = await signIn()
    clockOffsetMs = days(14) - minutes(5)
    const late = await refresh(session.refresh_token)
    expect(late.session?.expires_in).toBeLessThanOrEqual(5 * 60)
    clockOffsetMs = days(14) + 1_000
    expect((await refresh(late.token ?? '')).code).toBe('session_expired')
  })

  it('stores only hashes of tokens and passwords', async () => {
    const { session } = await signIn()
    const next = await refresh(session.refresh_token)
    const { rows } = await shop.database.owner.query<{ kept: string }>(
      `select (select json_agg(t)::text from auth.refresh_tokens t) ||
        (select json_agg(u)::text from auth.users u) || (select json_agg(s)::text from auth.sessions s) as kept`,
    )
    for (const secret of [session.refresh_token, next.token ?? '', credentials.password]) {
      expect(rows[0]?.kept).not.toContain(secret)
    }
  })
})

describe('a session that is passed to another supabase-js client', () => {
  it('is accepted by setSession, which the dashboard calls', async () => {
    const { session } = await signIn()
    const client = await shop.createClient()
    const { error } = await client.auth.setSession(session)
    expect(error).toBeNull()
    expect((await client.from('employees').select('id')).error).toBeNull()
  })

  it('is refreshed by setSession when its access token has expired', async () => {
    const { session } = await signIn()
    const expired = await shop.createClient()
    const stale = { ...session, access_token: withExpiry(session.access_token, 1) }
    const { data, error } = await expired.auth.setSession(stale)
    expect(error).toBeNull()
    expect(data.session?.refresh_token).not.toBe(session.refresh_token)
  })
})

describe('signing out', () => {
  it('invalidates the access token and the refresh token immediately', async () => {
    const { client, session } = await signIn()
    expect((await client.auth.signOut({ scope: 'local' })).error).toBeNull()
    const thief = createClient(await shop.listen(), shop.config.anonKey, {
      auth: { persistSession: false },
      global: { headers: { authorization: `Bearer ${session.access_token}` } },
    })
    const { error, status } = await thief.from('tasks').select('id')
    expect({ status, code: error?.code }).toEqual({ status: 401, code: 'PGRST301' })
    expect((await refresh(session.refresh_token)).code).toBe('refresh_token_not_found')
  })

  it('ends the other sessions or all sessions, depending on the scope', async () => {
    const isOpen = async (token: string) => (await refresh(token)).code === undefined
    const [one, two, three] = [await signIn(), await signIn(), await signIn()]
    await two.client.auth.signOut({ scope: 'others' })
    expect(await isOpen(one.session.refresh_token)).toBe(false)
    expect(await isOpen(three.session.refresh_token)).toBe(false)
    const four = await signIn()
    await four.client.auth.signOut({ scope: 'global' })
    expect(await isOpen(two.session.refresh_token)).toBe(false)
  })
})

describe('the limits on password attempts', () => {
  const attempt = (password: string, remoteAddress: string, email = credentials.email) =>
    shop.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      payload: { email, password },
      remoteAddress,
    })

  it('refuse an IP address after ten wrong passwords in a minute, but no other IP address', async () => {
    const statuses = []
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await attempt('wrong', '192.0.2.1')).statusCode)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429])
    const correct = await attempt(credentials.password, '192.0.2.1')
    expect(correct.statusCode).toBe(429)
    expect(Number(correct.headers['retry-after'])).toBeGreaterThan(0)
    expect((await attempt(credentials.password, '192.0.2.2')).statusCode).toBe(200)
  })

  it('refuse further attempts on one account even from many IP addresses', async () => {
    await attempt('wrong', '192.0.2.1')
    await shop.database.owner.query('update internal.rate_limits set taken = 100')
    expect((await attempt(credentials.password, '198.51.100.7')).statusCode).toBe(429)
    const other = await attempt('wrong', '198.51.100.8', 'someone@staff.torqueandtiming.example')
    expect(other.statusCode).toBe(400)
  })

  it('do not count correct passwords', async () => {
    for (let count = 0; count < 15; count += 1) {
      expect((await attempt(credentials.password, '192.0.2.3')).statusCode).toBe(200)
    }
  })
})

describe('the protocol of /auth/v1', () => {
  const post = (payload: unknown, headers = {}) =>
    shop.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      headers: { 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    })

  it('returns errors in the API version that the client requests', async () => {
    const wrong = { email: 'a@b.example', password: 'wrong' }
    expect((await post(wrong)).json()).toEqual({
      code: 400,
      error_code: 'invalid_credentials',
      msg: 'Invalid login credentials',
    })
    const current = await post(wrong, { 'x-supabase-api-version': '2024-01-01' })
    expect(current.json()).toEqual({
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    })
    expect(current.headers['x-supabase-api-version']).toBe('2024-01-01')
  })

  it('refuses bodies that are invalid JSON, incomplete or too long', async () => {
    expect((await post('{')).json()).toMatchObject({ error_code: 'bad_json' })
    for (const body of [{}, { email: 'a@b.example' }, { email: 1, password: 2 }, [], null]) {
      expect((await post(body)).json()).toMatchObject({ error_code: 'validation_failed' })
    }
    const long = { email: 'a@b.example', password: 'x'.repeat(1_001) }
    expect((await post(long)).statusCode).toBe(400)
    expect((await post({ email: 'x'.repeat(300_000), password: 'x' })).statusCode).toBe(400)
  })

  it('refuses requests without a token, and paths that are not implemented', async () => {
    const get = (url: string, headers = {}) => shop.inject({ url, headers })
    expect((await get('/auth/v1/user')).json()).toMatchObject({ error_code: 'no_authorization' })
    const bad = await get('/auth/v1/user', { authorization: 'Bearer nonsense' })
    expect(bad.json()).toMatchObject({ code: 403, error_code: 'bad_jwt' })
    expect((await get('/auth/v1/authorize?provider=x')).statusCode).toBe(404)
    const pkce = await shop.inject({ method: 'POST', url: '/auth/v1/token?grant_type=pkce' })
    expect(pkce.json()).toMatchObject({ error_code: 'unsupported_grant_type' })
  })

  it('forbids caches to store its responses', async () => {
    expect((await post({})).headers['cache-control']).toBe('no-store')
  })
})

/**
 * Returns the access token with another expiry time. The token's signature becomes invalid, but supabase-js does not
 * verify signatures.
 */
function withExpiry(token: string, exp: number): string {
  const [head, body = '', signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object
  const changed = Buffer.from(JSON.stringify({ ...claims, exp })).toString('base64url')
  return `${head}.${changed}.${signature}`
}
