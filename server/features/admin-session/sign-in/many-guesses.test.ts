import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPasswords, deriveKey } from '@local/data-service'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { staffEmail } from '../gateway/auth-gateway.ts'
import { issueSignInCode } from './sign-in-codes.ts'

/**
 * The number of passwords that the server has checked. This number measures the work that the guesses cause, and the
 * number of passwords that an attacker can test.
 */
let checked = 0
const passwords = createPasswords((password, salt) => {
  checked += 1
  return deriveKey(password, salt, { kind: 'scrypt', ln: 5, r: 8, p: 1 })
})

let shop: TestApp
let ownBrowser = ''
beforeAll(async () => {
  shop = await createTestApp({ passwords })
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.forgetRefusals()
  await shop.database.owner.query('delete from internal.rate_limits')
  const { cookies } = await logIn(testAdmin, '203.0.113.50')
  const known = cookies.find(({ name }) => name === 'admin_browser')?.value
  ownBrowser = `admin_browser=${known}`
  checked = 0
})

type Credentials = { readonly username: string; readonly password: string }

const logIn = (payload: Credentials, remoteAddress: string, cookie = '') =>
  shop.inject({
    method: 'POST',
    url: '/api/admin/login',
    payload,
    remoteAddress,
    headers: { cookie },
  })

const askDataService = ({ username, password }: Credentials, remoteAddress: string) =>
  shop.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=password',
    payload: { email: staffEmail(username), password },
    remoteAddress,
  })

/** Guesses 1,000 passwords from 250 IP addresses, alternately at the login and at the auth API. */
async function guess(usernameOf: (nth: number) => string): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  for (let nth = 0; nth < 1_000; nth += 1) {
    const wrong = { username: usernameOf(nth), password: `guess number ${nth}` }
    const send = nth % 2 === 0 ? logIn : askDataService
    const { statusCode } = await send(wrong, `198.51.100.${nth % 250}`)
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
  }
  return statuses
}

/** Creates a one-time code, as the command line does, and signs the owner in with the code. */
async function logInByCode() {
  const { database } = shop.database
  const { rows } = await shop.database.owner.query<{ user_id: string }>(
    'select user_id from public.staff_accounts where username = $1',
    [testAdmin.username],
  )
  const { username } = testAdmin
  const admin = { userId: rows[0]?.user_id ?? '', username }
  const password = await issueSignInCode(database, admin, Date.now())
  return logIn({ username, password }, '203.0.113.77')
}

const attacks = [
  {
    target: 'one account',
    checks: 25,
    usernameOf: () => testAdmin.username,
  },
  {
    target: 'a hundred accounts',
    checks: 150,
    usernameOf: (nth: number) => (nth % 100 === 0 ? testAdmin.username : `name${nth % 100}`),
  },
]

describe.each(attacks)(
  'an attacker who sends 1,000 guessed passwords from 250 IP addresses to $target',
  ({ checks, usernameOf }) => {
    it(`causes only ${checks} password checks in 15 minutes; the server hashes no other guess`, async () => {
      const statuses = await guess(usernameOf)
      expect(checked).toBe(checks)
      expect(statuses.get(429)).toBe(1_000 - checks)
      // For a wrong password, the login responds with status 401, the auth service with status 400.
      expect((statuses.get(401) ?? 0) + (statuses.get(400) ?? 0)).toBe(checks)
      const refused = await logIn(testAdmin, '203.0.113.99')
      expect(refused.statusCode).toBe(429)
      const wait = Number(refused.headers['retry-after'])
      expect(wait).toBeGreaterThan(600)
      expect(wait).toBeLessThanOrEqual(900)
    })

    it('does not block an owner who signs in from a known browser at another IP address or with a one-time code', async () => {
      await guess(usernameOf)
      expect((await logIn(testAdmin, '203.0.113.51', ownBrowser)).statusCode).toBe(200)
      expect((await logInByCode()).statusCode).toBe(200)
      // An owner whose browser has no earlier sign-in, and who has no one-time code, is blocked like every other
      // client.
      expect((await logIn(testAdmin, '203.0.113.52')).statusCode).toBe(429)
    })

    it('causes the same number of password checks again after 15 minutes', async () => {
      await guess(usernameOf)
      await shop.database.owner.query(
        `update internal.rate_limits set resets_at = resets_at - interval '15 minutes'`,
      )
      shop.forgetRefusals()
      checked = 0
      expect((await logIn(testAdmin, '203.0.113.53')).statusCode).toBe(200)
      await guess(usernameOf)
      expect(checked).toBe(checks + 1)
    })
  },
)
