import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { anonToken, openOurs, readerToken, type OurBookshop } from '../conformance/bookshop.ts'

describe('requests that wait for each other', () => {
  let ours: OurBookshop

  beforeAll(async () => {
    ours = await openOurs()
  })
  afterAll(() => ours?.close())

  const post = (path: string, payload: object, token = anonToken) =>
    ours.app.inject({
      method: 'POST',
      url: `/rest/v1${path}`,
      headers: { authorization: `Bearer ${token}`, prefer: 'resolution=merge-duplicates' },
      payload,
    })

  test('are both served: the one that PostgreSQL stopped is tried again', async () => {
    // Each dawdles once it has locked its first row, so that they surely meet in the middle.
    await ours.shop.owner.query(`
      create function dawdle() returns trigger language plpgsql as
        $$ begin perform pg_sleep(0.2); return new; end $$;
      create trigger settings_dawdle before update on settings for each row execute function dawdle()`)
    const rows = [
      { key: 'colour', weight: 1 },
      { key: 'size', weight: 2 },
    ]
    const responses = await Promise.all([
      post('/settings', rows, readerToken),
      post('/settings', rows.toReversed(), readerToken),
    ])
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })

  test.each(['40P01', '40001'])(
    'say no more than that they may be sent again (%s)',
    async (state) => {
      const detail = 'Process 4711 waits for ShareLock on transaction 815; blocked by process 4712.'
      const words = 'deadlock detected by process 4711'
      const response = await post('/rpc/fail_with', {
        state,
        words,
        detail,
        advice: 'See the log.',
      })
      expect([response.statusCode, response.json()]).toEqual([
        409,
        {
          code: state,
          message:
            'Somebody else was changing the same data. Nothing was changed: please try again.',
          details: null,
          hint: null,
        },
      ])
    },
  )
})

describe('visitors who send bookings of several days at once, in opposite orders', () => {
  let shop: TestApp

  beforeAll(async () => {
    shop = await createTestApp({ config: { rateLimits: 'off' } })
  })
  afterAll(() => shop?.close())

  test('are refused, and nothing waits', async () => {
    const { rows: slots } = await shop.database.owner.query<{ date: string; service: string }>(`
      select d::date::text as date, (select id from services limit 1) as service
      from generate_series(internal.shop_now()::date + 3, internal.shop_now()::date + 20, '1 day') d
      where internal.booking_refusal(d::date, '10:00', 30) is null`)
    const batch = slots.map(({ date, service }) => ({
      service_id: service,
      appointment_date: date,
      appointment_time: '10:00:00',
      customer_name: 'Dana Whitfield',
      customer_email: 'dana@example.com',
      customer_phone: '(650) 555-0167',
      vehicle_year: '2019',
      vehicle_make: 'Subaru',
      vehicle_model: 'Outback',
      status: 'confirmed',
    }))
    const send = (payload: object) =>
      shop.inject({
        method: 'POST',
        url: '/rest/v1/bookings',
        headers: { apikey: shop.config.anonKey },
        payload,
      })
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => send(n % 2 === 0 ? batch : batch.toReversed())),
    )
    expect(batch.length).toBeGreaterThan(5)
    for (const { statusCode, body } of responses) {
      expect([statusCode, body]).toEqual([400, expect.stringContaining('one row at a time')])
      expect(body).not.toMatch(/[Pp]rocess/)
    }
    const { rows } = await shop.database.owner.query('select from bookings')
    expect(rows).toHaveLength(0)
  })
})
