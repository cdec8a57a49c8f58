import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { fastPasswords } from '#tests/support/app/fast-passwords.ts'
import { addStaffAccount, signInAs } from '#tests/support/app/sign-in-as.ts'

const pin = '2580'
let shop: TestApp
let checks = 0
let ids: Readonly<Record<'ana' | 'ben' | 'admin', string>>
beforeAll(async () => {
  const passwords = {
    ...fastPasswords,
    verify: (...tried: Parameters<typeof fastPasswords.verify>) => {
      checks += 1
      return fastPasswords.verify(...tried)
    },
  }
  shop = await createTestApp({ passwords, config: { rateLimits: 'off' } })
  const ana = await addStaffAccount(shop, 'ana', 'technician')
  const ben = await addStaffAccount(shop, 'ben', 'technician')
  const { rows } = await sql<{ user_id: string }>(
    `select user_id from public.staff_accounts where username = 'admin'`,
  )
  ids = { ana, ben, admin: rows[0]?.user_id ?? '' }
})
afterAll(() => shop.close())
beforeEach(async () => {
  await sql(
    `delete from internal.tablet_attempts; delete from internal.tablet_pins; update internal.tablets set revoked_at = now()`,
  )
  for (const id of Object.values(ids)) {
    await sql('insert into internal.tablet_pins (user_id, pin_hash) values ($1, $2)', [
      id,
      await fastPasswords.hash(pin),
    ])
  }
})

const sql = <Row extends object>(text: string, values: unknown[] = []) =>
  shop.database.owner.query<Row>(text, values)

const post = (url: string, cookie: string, payload: object = {}) =>
  shop.inject({ method: 'POST', url, payload, headers: { cookie } })

const cookieOf = (response: Awaited<ReturnType<typeof post>>, name: string) => {
  const value = response.cookies.find((cookie) => cookie.name === name)?.value
  return `${name}=${value}`
}

async function enroll(name = 'Bay tablet') {
  const response = await post('/api/admin/tablets', await shop.logInConfirmed(), { name })
  expect(response.statusCode).toBe(200)
  return cookieOf(response, 'shop_tablet')
}

const open = (tablet: string, accountId: string, typed = pin) =>
  post('/api/tablet/open', tablet, { accountId, pin: typed })

const codeOf = (response: Awaited<ReturnType<typeof post>>) =>
  response.json<{ code?: string; message?: string }>()

const stateOf = async (tablet: string) =>
  (await shop.inject({ url: '/api/tablet', headers: { cookie: tablet } })).json<{ state: string }>()
    .state

const guess = async (tablet: string, id: string, times: number) => {
  for (let count = 0; count < times; count += 1) await open(tablet, id, '0000')
}

const tableOf = async (token: string, table: string) =>
  (
    await shop.inject({
      url: `/rest/v1/${table}?select=id`,
      headers: { apikey: shop.config.anonKey, authorization: `Bearer ${token}` },
    })
  ).statusCode

describe('a correct PIN at a tablet', () => {
  it('opens a session with the rights of a technician, even for an owner', async () => {
    const tablet = await enroll()
    const response = await open(tablet, ids.admin)
    expect(response.json()).toMatchObject({ ok: true, role: 'technician' })
    const cookie = cookieOf(response, 'admin_session')
    const { access_token: token } = response.json<{ session: { access_token: string } }>().session
    expect(await tableOf(token, 'technician_bookings')).toBe(200)
    expect(await tableOf(token, 'bookings')).toBe(403)
    expect(await tableOf(token, 'customers')).toBe(403)
    for (const url of ['/api/admin/tablets', '/api/admin/profile', '/api/invoice/list']) {
      expect((await shop.inject({ url, headers: { cookie } })).statusCode).toBe(403)
    }
    for (const url of [
      '/api/admin/tablets',
      '/api/admin/profile/pin',
      '/api/admin/confirm-password',
      '/api/commands/rename-staff',
      `/api/admin/accounts/${ids.ana}/clear-pin`,
    ]) {
      expect(codeOf(await post(url, cookie)).code).toBe('NOT_ALLOWED')
    }
  })

  it('opens no session without the cookie of a tablet, or with an invented cookie', async () => {
    checks = 0
    for (const cookie of ['', `shop_tablet=${'A'.repeat(43)}`, 'shop_tablet=x']) {
      const response = await open(cookie, ids.ana)
      expect([response.statusCode, codeOf(response).code]).toEqual([401, 'TABLET_REVOKED'])
      expect(response.cookies).toEqual([])
    }
    expect(checks).toBe(0)
  })

  it('opens no session when the request sends an owner’s session cookie instead of a tablet cookie', async () => {
    expect(codeOf(await open(await shop.logIn(), ids.ana)).code).toBe('TABLET_REVOKED')
  })

  it('is stored only as a hash, and so is the token of the tablet', async () => {
    const tablet = await enroll()
    const { rows } = await sql<{ kept: string }>(
      `select (select json_agg(p)::text from internal.tablet_pins p) || (select json_agg(t)::text from internal.tablets t) as kept`,
    )
    expect(rows[0]?.kept).not.toContain(tablet.replace('shop_tablet=', ''))
    expect(rows[0]?.kept).not.toContain(`"${pin}"`)
  })
})

describe('wrong PINs of a team member', () => {
  it('get a response with the number of remaining attempts; the fifth blocks the team member at every tablet for a time', async () => {
    const [first, second] = [await enroll(), await enroll('Second')]
    expect(codeOf(await open(first, ids.ana, '0000')).message).toBe(
      'This PIN is wrong. 4 tries left.',
    )
    await guess(first, ids.ana, 2)
    await guess(second, ids.ana, 2)
    expect(codeOf(await open(second, ids.ben)).code).toBeUndefined()
    for (const tablet of [first, second]) {
      const right = await open(tablet, ids.ana)
      const wrong = await open(tablet, ids.ana, '0001')
      expect(right.json()).toEqual(wrong.json())
      expect(right.json()).toEqual({
        ok: false,
        code: 'WRONG_PIN',
        message: 'ana waits 5 minutes. Others can open.',
      })
      expect([right.statusCode, right.cookies]).toEqual([wrong.statusCode, []])
    }
  })

  it('cost one hash comparison each, whether or not the team member is blocked, has a PIN or has an account', async () => {
    const tablet = await enroll()
    await guess(tablet, ids.ana, 5)
    await sql('delete from internal.tablet_pins where user_id = $1', [ids.ben])
    for (const id of [ids.ana, ids.ben, '5d0cbd8e-0ce5-4a6e-9f0e-0000000000ff']) {
      checks = 0
      expect((await open(tablet, id)).statusCode).toBe(403)
      expect(checks).toBe(1)
    }
  })

  it('are checked again after the block of five minutes; after the tenth wrong PIN, an owner has to clear the PIN', async () => {
    const tablet = await enroll()
    await guess(tablet, ids.ana, 5)
    await sql('update internal.tablet_pins set waits_until = now()')
    await guess(tablet, ids.ana, 4)
    const tenth = await open(tablet, ids.ana, '0000')
    expect(codeOf(tenth).message).toBe('Too many wrong PINs. An owner has to clear the PIN of ana.')
    await sql('delete from internal.tablet_attempts')
    expect((await open(tablet, ids.ana)).json()).toEqual(tenth.json())
    await post(`/api/admin/accounts/${ids.ana}/clear-pin`, await shop.logIn())
    const { rows } = await sql('select from internal.tablet_pins where user_id = $1', [ids.ana])
    expect(rows).toHaveLength(0)
  })

  it('are counted together when they are entered at two tablets at the same time', async () => {
    const tablets = [await enroll(), await enroll('Second')]
    checks = 0
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => open(tablets[index % 2] ?? '', ids.ana, '0000')),
    )
    const { rows } = await sql(
      'select wrong_count, waits_until > now() as waits from internal.tablet_pins where user_id = $1',
      [ids.ana],
    )
    expect(rows).toEqual([{ wrong_count: 5, waits: true }])
  })

  it('no longer count after a correct PIN', async () => {
    const tablet = await enroll()
    await guess(tablet, ids.ana, 4)
    expect((await open(tablet, ids.ana)).statusCode).toBe(200)
    expect(codeOf(await open(tablet, ids.ana, '0000')).message).toContain('4 tries left')
  })
})

describe('a tablet', () => {
  it('is locked after fifteen wrong PINs in an hour, until an advisor or owner signs in at the tablet', async () => {
    const tablet = await enroll()
    const session = cookieOf(await open(tablet, ids.admin), 'admin_session')
    for (const id of [ids.ana, ids.ben, ids.admin]) await guess(tablet, id, 5)
    expect(await stateOf(tablet)).toBe('locked')
    expect(
      (await shop.inject({ url: '/api/admin/live', headers: { cookie: session } })).statusCode,
    ).toBe(401)
    checks = 0
    expect(codeOf(await open(tablet, ids.ana)).code).toBe('TABLET_LOCKED')
    expect(checks).toBe(0)
    const signIn = (username: string) =>
      post('/api/admin/login', tablet, { username, password: 'correct horse battery' })
    expect((await signIn('ben')).statusCode).toBe(200)
    expect(await stateOf(tablet)).toBe('locked')
    expect((await signIn('admin')).statusCode).toBe(200)
    expect(await stateOf(tablet)).toBe('ready')
  })

  it('ignores wrong PINs that are more than an hour old', async () => {
    const tablet = await enroll()
    for (const id of [ids.ana, ids.ben]) await guess(tablet, id, 5)
    await sql(`update internal.tablet_attempts set attempted_at = now() - interval '1 hour'`)
    await guess(tablet, ids.admin, 5)
    expect(await stateOf(tablet)).toBe('ready')
  })

  it('checks at most fifteen of a thousand guessed PINs that arrive fifty at a time', async () => {
    const tablet = await enroll()
    checks = 0
    const responses: Awaited<ReturnType<typeof open>>[] = []
    // The requests are sent fifty at a time, because the test's database has a limited number of connections.
    for (let wave = 0; wave < 20; wave += 1) {
      const guesses = Array.from({ length: 50 }, (_, index) =>
        open(tablet, index % 2 ? ids.ana : ids.ben, String(3000 + 50 * wave + index)),
      )
      responses.push(...(await Promise.all(guesses)))
    }
    const count = (code: string) =>
      responses.filter((response) => codeOf(response).code === code).length
    expect(checks).toBe(15)
    expect(count('WRONG_PIN')).toBe(15)
    expect(count('TABLET_LOCKED')).toBe(985)
  }, 60_000)

  it('that is revoked loses its sessions and opens no new one', async () => {
    const tablet = await enroll()
    const response = await open(tablet, ids.admin)
    const { access_token: token } = response.json<{ session: { access_token: string } }>().session
    const owner = await shop.logIn()
    const list = await shop.inject({ url: '/api/admin/tablets', headers: { cookie: owner } })
    const [listed] = list.json<{ tablets: { id: string; lastUsedByName: string }[] }>().tablets
    expect(listed?.lastUsedByName).toBe('admin')
    await post(`/api/admin/tablets/${listed?.id}/revoke`, owner)
    expect(await stateOf(tablet)).toBe('revoked')
    expect(await tableOf(token, 'technician_bookings')).toBe(401)
    expect(codeOf(await open(tablet, ids.ana)).code).toBe('TABLET_REVOKED')
    expect((await post('/api/tablet/touch', cookieOf(response, 'admin_session'))).statusCode).toBe(
      401,
    )
  })

  it('is enrolled by an owner after step-up authentication, and the owner is then signed out at the tablet', async () => {
    const withoutStepUp = await post('/api/admin/tablets', await shop.logIn(), { name: 'Bay' })
    expect(codeOf(withoutStepUp).code).toBe('STEP_UP_REQUIRED')
    const { cookie } = await signInAs(shop, 'ben')
    expect(codeOf(await post('/api/admin/tablets', cookie, { name: 'Bay' })).code).toBe(
      'NOT_ALLOWED',
    )
    const owner = await shop.logInConfirmed()
    const response = await post('/api/admin/tablets', owner, { name: 'Bay' })
    expect(response.headers['set-cookie']).toContainEqual(
      expect.stringMatching(
        /^shop_tablet=[\w-]{43}; Max-Age=34560000; Path=\/api; HttpOnly; SameSite=Strict$/,
      ),
    )
    expect(
      (await shop.inject({ url: '/api/admin/tablets', headers: { cookie: owner } })).statusCode,
    ).toBe(401)
  })
})

describe('the session of a team member at a tablet', () => {
  it('ends, together with its access token, 130 seconds after the last touch', async () => {
    const tablet = await enroll()
    const response = await open(tablet, ids.admin)
    const cookie = cookieOf(response, 'admin_session')
    const { access_token: token } = response.json<{ session: { access_token: string } }>().session
    expect((await post('/api/tablet/touch', cookie)).statusCode).toBe(200)
    const { rows } = await sql<{ seconds: number }>(
      `select extract(epoch from expires_at - last_used_at)::int as seconds from internal.admin_sessions where tablet_id is not null`,
    )
    expect(rows).toEqual([{ seconds: 130 }])
    await sql(
      `update internal.admin_sessions set expires_at = now(), last_used_at = now() where tablet_id is not null`,
    )
    expect((await post('/api/tablet/touch', cookie)).statusCode).toBe(401)
    expect(await tableOf(token, 'technician_bookings')).toBe(401)
  })

  it('leaves its access token without any rights after its end, even for an owner', async () => {
    const tablet = await enroll()
    await open(tablet, ids.admin)
    const roleOf = async () => {
      const { rows } = await sql<{ role: string | null }>(
        `select internal.staff_role() as role from set_config('request.jwt.claims', json_build_object('sub', $1::text, 'session_id',
           (select data_session_id from internal.tablet_data_sessions order by ends_at desc limit 1))::text, false)`,
        [ids.admin],
      )
      return rows[0]?.role
    }
    expect(await roleOf()).toBe('technician')
    await sql('delete from internal.admin_sessions where tablet_id is not null')
    expect(await roleOf()).toBeNull()
    await sql(`select set_config('request.jwt.claims', '', false)`)
  })

  it('cannot be confirmed by step-up authentication, because the database refuses the confirmation of a tablet session', async () => {
    await open(await enroll(), ids.admin)
    await expect(
      sql('update internal.admin_sessions set confirmed_until = now() where tablet_id is not null'),
    ).rejects.toThrow('admin_sessions_of_tablets_confirm_nothing')
  })
})

describe('a team member whose account is switched off', () => {
  it('has no PIN, is not listed on the tablet, and gets the response for a wrong PIN', async () => {
    const tablet = await enroll()
    await sql(`select set_config('shop.command', 'test', false)`)
    await sql('update public.staff_accounts set is_active = false where user_id = $1', [ids.ben])
    const { rows } = await sql('select from internal.tablet_pins where user_id = $1', [ids.ben])
    expect(rows).toHaveLength(0)
    const response = await open(tablet, ids.ben)
    expect(response.json()).toEqual({
      ok: false,
      code: 'WRONG_PIN',
      message: 'This PIN is wrong.',
    })
    const read = await shop.inject({ url: '/api/tablet', headers: { cookie: tablet } })
    const { members } = read.json<{ members: { name: string }[] }>()
    expect(members.map(({ name }) => name)).toEqual(['admin', 'ana'])
    await sql('update public.staff_accounts set is_active = true where user_id = $1', [ids.ben])
  })
})

describe('a new PIN for one’s own account', () => {
  it('is set only after step-up authentication, and is refused when it is easy to guess', async () => {
    const set = async (cookie: string, typed: string) =>
      codeOf(await post('/api/admin/profile/pin', cookie, { pin: typed })).code
    expect(await set(await shop.logIn(), '9034')).toBe('STEP_UP_REQUIRED')
    const cookie = await shop.logInConfirmed()
    expect(await set(cookie, '1234')).toBe('WEAK_PIN')
    expect(await set(cookie, '9034')).toBeUndefined()
    const tablet = await enroll()
    expect((await open(tablet, ids.admin, '2580')).statusCode).toBe(403)
    expect((await open(tablet, ids.admin, '9034')).statusCode).toBe(200)
  })
})
