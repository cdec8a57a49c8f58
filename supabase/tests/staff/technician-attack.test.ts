import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importJwtKey, signJwt } from '@local/data-service'
import { endpoints } from '#contracts/api/endpoints.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { addStaffAccount, signInAs } from '#tests/support/app/sign-in-as.ts'
import { testKeys } from '#tests/support/app/test-keys.ts'
import { addService, fixtureClock } from '#tests/support/database/database-fixtures.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'

/**
 * The phone number, email address, family name and price in the test data; no response to a technician may contain
 * these values.
 */
const secrets = /5550167|555-0167|maria@|Delgado|49857|498\.57/
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

let shop: TestApp
let token: string
let cookie: string
let userId: string
let bookingId: string
beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
  await setShopClock(shop.database.owner, fixtureClock)
  userId = await addStaffAccount(shop, 'ben', 'technician')
  ;({ token, cookie } = await signInAs(shop, 'ben'))
  bookingId = await addRecords()
})
afterAll(() => shop.close())

const owner = async (sql: string, values: unknown[] = []) =>
  (await shop.database.owner.query<{ id: string }>(sql, values)).rows

/** Adds a booking for today with its customer and a price, and a quote request; returns the id of the booking. */
async function addRecords(): Promise<string> {
  const serviceId = await addService(shop.database, 'Brake check', 60)
  await owner('update public.services set price_from_cents = 49857 where id = $1', [serviceId])
  await owner(
    `insert into public.quote_requests (name, email, phone, service_type, description, vehicle_year, vehicle_make, vehicle_model)
     values ('Maria Delgado', 'maria@customer.example', '(650) 555-0167', 'brake-service', 'They squeak.', '2019', 'Subaru', 'Outback')`,
  )
  const [booking] = await owner(
    `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name, customer_email,
       customer_phone, vehicle_year, vehicle_make, vehicle_model)
     values ($1, '2026-11-20', '13:30', 60, 'Maria Delgado', 'maria@customer.example', '(650) 555-0167', '2019', 'Subaru', 'Outback') returning id`,
    [serviceId],
  )
  await owner('update public.bookings set service_price_cents = 49857')
  return booking?.id ?? ''
}

type Call = { method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'HEAD'; payload?: object }
const rest = async (path: string, call: Call = {}, headers: Record<string, string> = {}) => {
  const response = await shop.inject({
    method: call.method ?? 'GET',
    url: `/rest/v1/${path}`,
    headers: { apikey: shop.config.anonKey, authorization: `Bearer ${token}`, ...headers },
    ...(call.payload && { payload: call.payload }),
  })
  // Removes the random ids from the response, because an id could contain the searched digits by chance.
  const received = `${JSON.stringify(response.headers)}${response.body}`.replaceAll(uuid, '')
  expect(received).not.toMatch(secrets)
  return response
}
/** Sends a request that the server must refuse with a 4xx status. */
const expectRefused = async (
  path: string,
  call: Call = {},
  headers: Record<string, string> = {},
) => {
  const response = await rest(path, call, headers)
  expect([path, response.statusCode >= 400 && response.statusCode < 500]).toEqual([path, true])
  return response
}

const tablesOf = async () =>
  (
    await shop.database.owner.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace
       and relkind in ('r', 'v') and relname not like 'technician\\_%' order by 1`,
    )
  ).rows.map(({ name }) => name)

describe('a technician', () => {
  it('can read the views for technicians', async () => {
    const response = await rest('technician_bookings?select=*')
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject([{ id: bookingId, first_name: 'Maria' }])
  })

  it('cannot read, count or write any table', async () => {
    const tables = await tablesOf()
    expect(tables.length).toBeGreaterThan(30)
    const attack = async (table: string) => {
      const ofBooking = `${table}?id=eq.${bookingId}`
      await expectRefused(`${table}?select=*`)
      const count = { prefer: 'count=exact' }
      const counted = await expectRefused(`${table}?select=*`, { method: 'HEAD' }, count)
      expect(counted.headers['content-range'] ?? '').not.toMatch(/\/\d/)
      await expectRefused(`${table}?select=*&limit=0`, {}, count)
      for (const method of ['POST', 'PUT'] as const)
        await expectRefused(table, { method, payload: {} })
      await expectRefused(ofBooking, { method: 'PATCH', payload: { is_sample: true } })
      await expectRefused(ofBooking, { method: 'DELETE' })
    }
    for (const table of tables) await attack(table)
  }, 60_000)

  it.each(['bookings', 'tasks', 'bays', 'services'])(
    'cannot embed other records in a request for the view of %s',
    async (name) => {
      const tables = await tablesOf()
      const statuses = new Set<number>()
      // The test reads the tables one after the other, because the data service (REST API) refuses many simultaneous
      // requests as too busy.
      for (const table of tables) {
        for (const embedded of [`${table}(*)`, `${table}!inner(count)`]) {
          const path = `technician_${name}?select=id,${embedded}`
          statuses.add((await expectRefused(path)).statusCode)
        }
      }
      expect([...statuses].filter((status) => ![400, 403].includes(status))).toEqual([])
    },
    60_000,
  )

  it.each([
    'select=customer_phone',
    'select=first_name,price:service_price_cents',
    'select=customer_email::text',
    'select=id,internal_note',
    'customer_phone=like.*0167*',
    'or=(customer_email.ilike.*maria*,id.not.is.null)',
    'not.and=(service_price_cents.eq.49857)',
    'order=customer_phone',
    'order=bays(name)',
    'bays.technician=eq.Ben',
    'select=sum:service_price_cents.sum()',
    'id=eq.x',
  ])('cannot read technician_bookings with the query ?%s', async (query) => {
    const { statusCode } = await expectRefused(`technician_bookings?${query}`)
    expect(statusCode).toBeLessThan(500)
  })

  it('cannot search inside text columns of the views', async () => {
    const inside = await rest('technician_bookings?select=notes->customer_phone')
    expect(inside.json()).toEqual([{ customer_phone: null }])
  })

  it.each(['technician_bookings', 'technician_tasks', 'technician_bays'])(
    'cannot write %s',
    async (view) => {
      const row = `${view}?id=eq.${bookingId}`
      const responses = [
        await expectRefused(view, { method: 'POST', payload: { id: bookingId } }),
        await expectRefused(row, { method: 'PATCH', payload: { version: 9 } }),
        await expectRefused(row, { method: 'DELETE' }),
      ]
      expect(responses.map((response) => response.json<{ code: string }>().code)).not.toContain('')
    },
  )

  it('cannot call procedures of other roles', async () => {
    const { rows } = await shop.database.owner.query<{ name: string; names: string[] | null }>(
      `select distinct on (proname) proname as name, proargnames as names from pg_proc
       where pronamespace = 'public'::regnamespace and proname not in ('record_technician_step', 'complete_own_task')`,
    )
    expect(rows.length).toBeGreaterThan(60)
    for (const { name, names } of rows) {
      const payload = Object.fromEntries((names ?? []).map((argument) => [argument, null]))
      await expectRefused(`rpc/${name}`, { method: 'POST', payload })
      await expectRefused(`rpc/${name}`, { method: 'POST', payload: {} })
    }
  })

  it('sees in a version conflict only that the appointment changed', async () => {
    const call = (payload: object) =>
      rest('rpc/record_technician_step', { method: 'POST', payload })
    const outdated = await call({ booking_id: bookingId, new_state: 'arrived', seen_version: 99 })
    expect(outdated.json()).toMatchObject({ code: 'TT051' })
    for (const values of [
      { booking_id: bookingId, new_state: 'no_show', seen_version: 1 },
      { booking_id: 'x', new_state: 'arrived', seen_version: 1 },
      { booking_id: bookingId, new_state: null, seen_version: null },
    ]) {
      expect((await call(values)).statusCode).toBeGreaterThanOrEqual(400)
    }
  })

  it('cannot gain another role by a token claim, a header or a field of a request', async () => {
    const key = await importJwtKey(testKeys.accessTokens)
    const claims = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    ) as object
    for (const change of [
      { role: 'shop_owner' },
      { role: 'service_role' },
      { app_metadata: { role: 'owner', username: 'admin' } },
      { user_metadata: { role: 'owner' }, staff_role: 'owner' },
    ]) {
      const forged = await signJwt({ ...claims, ...change }, key)
      await expectRefused('bookings?select=*', {}, { authorization: `Bearer ${forged}` })
    }
    const unsigned = `${token.split('.').slice(0, 2).join('.')}.`
    await expectRefused('bookings?select=*', {}, { authorization: `Bearer ${unsigned}` })
    await expectRefused(
      'bookings?select=*',
      {},
      { role: 'shop_owner', 'x-role': 'owner', 'accept-profile': 'internal' },
    )
    await expectRefused(`staff_accounts?user_id=eq.${userId}`, {
      method: 'PATCH',
      payload: { role: 'owner' },
    })
    await shop.inject({
      method: 'PUT',
      url: '/auth/v1/user',
      headers: { apikey: shop.config.anonKey, authorization: `Bearer ${token}` },
      payload: { data: { role: 'owner' }, app_metadata: { role: 'owner' } },
    })
    await expectRefused('bookings?select=*')
    const [account] = await owner(
      'select role as id from public.staff_accounts where user_id = $1',
      [userId],
    )
    expect(account?.id).toBe('technician')
  })

  it('is refused by every endpoint for the work at the counter, even for an existing record', async () => {
    for (const { method, path, rights } of endpoints) {
      if (rights !== 'admin' && rights !== 'owner') continue
      const response = await shop.inject({
        method,
        url: path.replace(':id', bookingId),
        headers: { cookie },
        ...(method === 'POST' && { payload: { role: 'owner' } }),
      })
      expect([path, response.statusCode, response.json<{ code: string }>().code]).toEqual([
        path,
        403,
        'NOT_ALLOWED',
      ])
    }
  })

  it('receives no setup steps of owners and advisors, neither at sign-in nor from /api/admin/me', async () => {
    const me = await shop.inject({ url: '/api/admin/me', headers: { cookie } })
    expect(me.json()).toEqual({
      ok: true,
      user: { username: 'ben' },
      name: 'ben',
      role: 'technician',
    })
    expect((await signInAs(shop, 'ben')).body).not.toHaveProperty('onboarding')
  })
})

describe('the access token of an earlier role', () => {
  it('grants no rights of that role after the role changed', async () => {
    const id = await addStaffAccount(shop, 'lena', 'owner')
    const earlier = (await signInAs(shop, 'lena')).token
    const headers = { authorization: `Bearer ${earlier}` }
    const read = (path: string) =>
      shop.inject({
        url: `/rest/v1/${path}`,
        headers: { apikey: shop.config.anonKey, ...headers },
      })
    expect((await read('bookings?select=customer_phone')).body).toMatch(secrets)
    await owner(`update public.staff_accounts set role = 'technician' where user_id = $1`, [id])
    await expectRefused('bookings?select=customer_phone', {}, headers)
    await expectRefused('rpc/read_today', { method: 'POST', payload: {} }, headers)
    expect((await read('technician_bookings?select=id')).json()).toEqual([{ id: bookingId }])
    await owner(`update public.staff_accounts set is_active = false where user_id = $1`, [id])
    await expectRefused('technician_bookings?select=id', {}, headers)
    await expectRefused('bookings?select=customer_phone', {}, headers)
  })
})
