import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpoints } from '#contracts/api/endpoints.ts'
import { addTestAccount, createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'

const lena = { username: 'lena', password: 'the password of lena' }

let shop: TestApp
beforeAll(async () => {
  shop = await createTestApp()
  await addTestAccount(shop.database, { ...lena, role: 'owner' })
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.forgetRefusals()
  await shop.database.owner.query('delete from internal.rate_limits')
})

const post = async (url: string, cookie: string, payload: object = {}, headers = {}) => {
  const response = await shop.inject({
    method: 'POST',
    url,
    payload,
    headers: { cookie, ...headers },
  })
  return { status: response.statusCode, ...response.json<{ code?: string; message?: string }>() }
}
const confirm = (cookie: string, password: string = testAdmin.password, headers = {}) =>
  post('/api/admin/confirm-password', cookie, { password }, headers)

/**
 * Sends a refund request and returns whether the session is confirmed by a step-up authentication, which refunds
 * require. The request names no payment, so no payment is refunded.
 */
async function isConfirmed(cookie: string): Promise<boolean> {
  const { code } = await post('/api/commands/refund-payment', cookie)
  if (code !== 'STEP_UP_REQUIRED' && code !== 'BAD_REQUEST') throw new Error(`Unexpected ${code}`)
  return code === 'BAD_REQUEST'
}

const endpointsWithStepUp = endpoints.filter(({ stepUp }) => stepUp)

describe('step-up authentication', () => {
  it.each(endpointsWithStepUp)('is required for $path', async ({ path }) => {
    expect(await post(path, await shop.logIn())).toMatchObject({
      status: 403,
      code: 'STEP_UP_REQUIRED',
    })
  })

  it('cannot be bypassed by a call of the REST API, which offers no function that refunds money', async () => {
    const { rows } = await shop.database.owner.query<{ name: string }>(
      `select proname as name from pg_proc
       where pronamespace = 'public'::regnamespace and proname ~ '(refund|cancel_invoice)' order by 1`,
    )
    // Only one function of the REST API is named after a refund or a cancelled invoice: `preview_refund`, which
    // computes amounts and moves no money.
    expect(rows).toEqual([{ name: 'preview_refund' }])
  })

  it('is valid in its own session only, not in another session of the same or another team member', async () => {
    const [here, there, other] = [await shop.logIn(), await shop.logIn(), await shop.logIn(lena)]
    expect(await isConfirmed(here)).toBe(false)
    expect(await confirm(here)).toMatchObject({ status: 200 })
    expect([await isConfirmed(here), await isConfirmed(there), await isConfirmed(other)]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('is valid for five minutes, and ends with the next sign-in in the same browser', async () => {
    const cookie = await shop.logIn()
    await confirm(cookie)
    const { rows } = await shop.database.owner.query(
      `select extract(epoch from max(confirmed_until) - now())::int between 298 and 300 as is_right
       from internal.admin_sessions`,
    )
    expect(rows).toEqual([{ is_right: true }])
    await shop.database.owner.query('update internal.admin_sessions set confirmed_until = now()')
    expect(await isConfirmed(cookie)).toBe(false)
    await confirm(cookie)
    const again = await shop.inject({
      method: 'POST',
      url: '/api/admin/login',
      headers: { cookie },
      payload: testAdmin,
    })
    const next = again.cookies.find(({ name }) => name === 'admin_session')?.value
    expect(await isConfirmed(`admin_session=${next}`)).toBe(false)
  })

  it('is refused with the password of another team member', async () => {
    const cookie = await shop.logIn()
    expect(await confirm(cookie, lena.password)).toMatchObject({
      status: 403,
      code: 'WRONG_PASSWORD',
    })
    expect(await isConfirmed(cookie)).toBe(false)
  })

  it('is refused to a page of another site and to a session that has ended', async () => {
    const cookie = await shop.logIn()
    const elsewhere = { origin: 'https://evil.example' }
    expect(await confirm(cookie, testAdmin.password, elsewhere)).toMatchObject({
      code: 'CROSS_ORIGIN',
    })
    expect(await isConfirmed(cookie)).toBe(false)
    await post('/api/admin/logout', cookie)
    expect(await confirm(cookie)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
  })

  it('leaves no additional session of the REST API open', async () => {
    const count = async () =>
      (await shop.database.owner.query('select from auth.sessions')).rowCount ?? 0
    const cookie = await shop.logIn()
    const before = await count()
    await confirm(cookie)
    expect(await count()).toBe(before)
  })
})

describe('a wrong password in step-up authentication', () => {
  it('blocks step-up authentication in all sessions of the account for a time when it is the fifth wrong password', async () => {
    const [here, there] = [await shop.logIn(), await shop.logIn()]
    const statuses: number[] = []
    for (let nth = 0; nth < 6; nth += 1) {
      statuses.push((await confirm(nth % 2 ? here : there, 'wrong')).status)
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429])
    expect((await confirm(here)).status).toBe(429)
    expect(await isConfirmed(here)).toBe(false)
    expect(await confirm(await shop.logIn(lena), lena.password)).toMatchObject({ status: 200 })
  })

  it('is answered with the number of remaining attempts, and after the last attempt with the waiting time', async () => {
    const cookie = await shop.logIn()
    const messages: (string | undefined)[] = []
    for (let nth = 0; nth < 5; nth += 1) messages.push((await confirm(cookie, 'wrong')).message)
    expect(messages).toEqual([
      'This password is wrong. 4 tries left before a 5 minute wait.',
      'This password is wrong. 3 tries left before a 5 minute wait.',
      'This password is wrong. 2 tries left before a 5 minute wait.',
      'This password is wrong. 1 try left before a 5 minute wait.',
      'This password is wrong. Please try again in 5 minutes.',
    ])
  })

  it('is answered, before the last attempt of the daily limit, with a warning about the waiting time of 24 hours', async () => {
    const cookie = await shop.logIn()
    for (let nth = 0; nth < 28; nth += 1) {
      shop.forgetRefusals()
      // Resets the counter of the five-minute limit on wrong passwords, but not the counter of the daily limit.
      await shop.database.owner.query(
        `update internal.rate_limits set resets_at = now() where resets_at < now() + interval '1 hour'`,
      )
      await confirm(cookie, 'wrong')
    }
    expect((await confirm(cookie, 'wrong')).message).toBe(
      'This password is wrong. 1 try left before a 24 hour wait.',
    )
  })

  it('uses up one of the permitted attempts, whereas a correct password uses up none', async () => {
    const cookie = await shop.logIn()
    for (let nth = 0; nth < 8; nth += 1) expect((await confirm(cookie)).status).toBe(200)
  })

  it('is still checked while an attacker guesses passwords at the sign-in', async () => {
    const cookie = await shop.logIn()
    for (let nth = 0; nth < 30; nth += 1) {
      await shop.inject({
        method: 'POST',
        url: '/api/admin/login',
        remoteAddress: `198.51.100.${nth}`,
        payload: { ...testAdmin, password: 'wrong' },
      })
    }
    expect(await confirm(cookie)).toMatchObject({ status: 200 })
  })
})
