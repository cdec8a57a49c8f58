import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rateLimitMessage } from '#contracts/api/rate-limit-message.ts'
import { createPasswords, deriveKey } from '@local/data-service'
import { buildApp } from '#server/app.ts'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { testKeys } from '#tests/support/app/test-keys.ts'
import { staffEmail } from '../gateway/auth-gateway.ts'

/** While this promise is pending, password checks wait for it; if undefined, password checks run immediately. */
let gate: Promise<void> | undefined
const passwords = createPasswords(async (password, salt) => {
  await gate
  return deriveKey(password, salt, { kind: 'scrypt', ln: 5, r: 8, p: 1 })
})

let shop: TestApp
let otherProcess: FastifyInstance
let clockOffsetMs = 0
const now = () => Date.now() + clockOffsetMs

beforeAll(async () => {
  shop = await createTestApp({ now, passwords })
  const { config, database } = shop
  otherProcess = await buildApp({
    config,
    database: database.database,
    keys: testKeys,
    now,
    passwords,
  })
})
afterAll(async () => {
  await otherProcess.close()
  await shop.close()
})
beforeEach(async () => {
  shop.forgetRefusals()
  clockOffsetMs = 0
  gate = undefined
  await shop.database.owner.query(
    'delete from internal.rate_limits; delete from internal.known_browsers',
  )
})

type Attempt = {
  password?: string
  username?: string
  from?: string
  cookie?: string
  app?: FastifyInstance
}

function logIn(attempt: Attempt = {}) {
  const { password = testAdmin.password, username = testAdmin.username, cookie = '' } = attempt
  return (attempt.app ?? shop.app).inject({
    method: 'POST',
    url: '/api/admin/login',
    remoteAddress: attempt.from ?? '192.0.2.1',
    headers: { cookie },
    payload: { username, password },
  })
}

function signInToDataService({
  password = testAdmin.password,
  from = '192.0.2.1',
  cookie = '',
}: Attempt) {
  return shop.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=password',
    remoteAddress: from,
    headers: { cookie },
    payload: { email: staffEmail(testAdmin.username), password },
  })
}

/** Signs in and out again. Afterwards, the browser still has the known-browser cookie. */
async function browserOfTheOwner(username: string = testAdmin.username): Promise<string> {
  const response = await logIn({ username, from: '203.0.113.50' })
  const cookie = response.cookies.find(({ name }) => name === 'admin_browser')
  return `admin_browser=${cookie?.value}`
}

/** Sends a hundred wrong passwords for the owner from twenty IP addresses, to the login and the auth API. */
async function attack(): Promise<number[]> {
  const statuses: number[] = []
  for (let count = 0; count < 100; count += 1) {
    const wrong = { password: `wrong ${count}`, from: `198.51.100.${count % 20}` }
    const app = count % 4 === 0 ? otherProcess : shop.app
    const response = count % 2 === 0 ? logIn({ ...wrong, app }) : signInToDataService(wrong)
    statuses.push((await response).statusCode)
  }
  return statuses
}

describe('an attack with a hundred or more wrong passwords', () => {
  it('is refused after twenty-five attempts at all server processes together; the response states the seconds to wait', async () => {
    const statuses = await attack()
    expect(statuses.filter((status) => status !== 429)).toHaveLength(25)
    const refused = await logIn({ from: '198.51.100.77' })
    const wait = Number(refused.headers['retry-after'])
    expect(wait).toBeGreaterThan(800)
    expect(wait).toBeLessThanOrEqual(900)
    expect([refused.statusCode, refused.json<{ message: string }>().message]).toEqual([
      429,
      rateLimitMessage(wait),
    ])
  })

  it('does not block the owner in a known browser, in any server process', async () => {
    const cookie = await browserOfTheOwner()
    await attack()
    expect((await logIn()).statusCode).toBe(429)
    expect((await logIn({ cookie, app: otherProcess })).statusCode).toBe(200)
  })

  it('does not block the owner in a known browser at one of the attacking IP addresses', async () => {
    const cookie = await browserOfTheOwner()
    for (let count = 0; count < 12; count += 1) await logIn({ password: 'wrong' })
    expect((await logIn({ cookie: '' })).statusCode).toBe(429)
    expect((await logIn({ cookie })).statusCode).toBe(200)
  })

  it('from a single IP address does not block an unknown browser at another IP address', async () => {
    for (let count = 0; count < 200; count += 1) await logIn({ password: 'wrong' })
    expect((await logIn({ from: '198.51.100.7' })).statusCode).toBe(200)
  })

  it('is also refused at /auth/v1 when it sends the cookie of a known browser, because /auth/v1 ignores cookies', async () => {
    const cookie = await browserOfTheOwner()
    await attack()
    expect((await signInToDataService({ cookie, from: '203.0.113.50' })).statusCode).toBe(429)
  })
})

describe('a browser in which the account signed in before (a known browser)', () => {
  it('is recognized by a cookie for the login route only, which scripts cannot read and other sites cannot send', async () => {
    const response = await logIn()
    expect(response.headers['set-cookie']).toContainEqual(
      expect.stringMatching(
        /^admin_browser=[\w-]{43}; Max-Age=15552000; Path=\/api\/admin\/login; HttpOnly; SameSite=Strict$/,
      ),
    )
  })

  it('becomes unknown after ten wrong passwords, even when they arrive at the same time', async () => {
    const cookie = await browserOfTheOwner()
    await attack()
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => logIn({ cookie, password: 'wrong' })),
    )
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(
      Array.from({ length: 8 }, () => 401),
    )
    for (const expected of [401, 401, 429]) {
      expect((await logIn({ cookie, password: 'wrong' })).statusCode).toBe(expected)
    }
    expect((await logIn({ cookie })).statusCode).toBe(429)
  })

  it('regains all its attempts and gets a new cookie value after a correct password', async () => {
    const cookie = await browserOfTheOwner()
    for (let count = 0; count < 9; count += 1) await logIn({ cookie, password: 'wrong' })
    const correct = await logIn({ cookie })
    const renewed = correct.cookies.find(({ name }) => name === 'admin_browser')?.value
    expect(`admin_browser=${renewed}`).not.toBe(cookie)
    await attack()
    expect((await logIn({ cookie })).statusCode).toBe(429)
    for (let count = 0; count < 9; count += 1) {
      const wrong = await logIn({ cookie: `admin_browser=${renewed}`, password: 'wrong' })
      expect(wrong.statusCode).toBe(401)
    }
  })

  it('is known for one account only, not for other accounts', async () => {
    const cookie = await browserOfTheOwner()
    await attack()
    shop.forgetRefusals()
    await shop.database.owner.query('delete from internal.rate_limits')
    for (let count = 0; count < 10; count += 1) {
      await logIn({ cookie, username: 'other', password: 'wrong' })
    }
    expect((await logIn({ cookie, username: 'other', password: 'wrong' })).statusCode).toBe(429)
    expect((await logIn({ cookie })).statusCode).toBe(200)
  })

  it('becomes unknown after half a year without a sign-in', async () => {
    const cookie = await browserOfTheOwner()
    clockOffsetMs = 181 * 24 * 60 * 60_000
    await attack()
    expect((await logIn({ cookie })).statusCode).toBe(429)
  })

  it('is not recognized by a token that the server did not issue', async () => {
    await attack()
    for (const cookie of [`admin_browser=${'A'.repeat(43)}`, 'admin_browser=', 'admin_browser=x']) {
      expect((await logIn({ cookie })).statusCode).toBe(429)
    }
  })

  it('counts toward the maximum of twenty known browsers per account; its token is not stored in plain text', async () => {
    const cookies: string[] = []
    for (let count = 0; count < 23; count += 1) cookies.push(await browserOfTheOwner())
    const { rows } = await shop.database.owner.query<{ kept: string; count: string }>(
      'select json_agg(k)::text as kept, count(*) from internal.known_browsers k',
    )
    expect(rows[0]?.count).toBe('20')
    for (const cookie of cookies) {
      expect(rows[0]?.kept).not.toContain(cookie.replace('admin_browser=', ''))
    }
  })
})

/** Resolves to the first `count` responses without waiting for the other requests. */
function theFirst<Answer>(count: number, promises: Promise<Answer>[]): Promise<Answer[]> {
  const responses: Answer[] = []
  return new Promise((resolve) => {
    for (const promise of promises) {
      void promise.then((response) => responses.push(response) === count && resolve([...responses]))
    }
  })
}

describe('many simultaneous passwords', () => {
  it('from unknown browsers wait in a short queue, which does not delay a password from a known browser', async () => {
    const cookie = await browserOfTheOwner()
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    const attackers = Array.from({ length: 20 }, (_, index) =>
      logIn({ password: 'wrong', username: `name${index}`, from: `198.51.100.${index}` }),
    )
    for (const turnedAway of await theFirst(11, attackers)) {
      expect([turnedAway.statusCode, turnedAway.headers['retry-after']]).toEqual([429, '5'])
    }
    const owner = logIn({ cookie })
    resolve()
    expect((await owner).statusCode).toBe(200)
    const statuses = (await Promise.all(attackers)).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 401)).toHaveLength(9)
  })

  it('do not count against a known browser when the server did not check them', async () => {
    const cookie = await browserOfTheOwner()
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    const attempts = Array.from({ length: 10 }, () => logIn({ cookie, password: 'wrong' }))
    const turnedAway = await Promise.race(attempts)
    expect(turnedAway.statusCode).toBe(429)
    resolve()
    await Promise.all(attempts)
    const { rows } = await shop.database.owner.query(
      'select attempts_left from internal.known_browsers',
    )
    expect(rows).toEqual([{ attempts_left: 1 }])
  })
})
