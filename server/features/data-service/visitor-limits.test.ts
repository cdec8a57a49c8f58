import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'

const aliased = (column: string, times: number) =>
  Array.from({ length: times }, (_, n) => `a${n}:${column}`).join(',')

describe('a visitor’s request that inserts several bookings', () => {
  let shop: TestApp

  beforeAll(async () => {
    shop = await createTestApp({ config: { rateLimits: 'off' } })
  })
  afterAll(() => shop?.close())

  it('is refused, so that two requests with the same times in opposite orders cannot deadlock', async () => {
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

describe('the request allowance of an IP address', () => {
  it('is reduced by the database cost of requests, not only by their number', async () => {
    const shop = await createTestApp({ now: () => Date.UTC(2026, 10, 21) })
    const sendRequest = async (select: string) => {
      const url = `/rest/v1/services?select=${select}&limit=1`
      const response = await shop.inject({ url, headers: { apikey: shop.config.anonKey } })
      return response
    }
    const costly = aliased('id', 90)
    try {
      // The rate limit is 1,500 tokens a minute per visitor. A request for one column uses one token, a request for 90
      // columns ten.
      for (let count = 0; count < 149; count += 1)
        expect((await sendRequest(costly)).statusCode).toBe(200)
      for (let count = 0; count < 9; count += 1)
        expect((await sendRequest('id')).statusCode).toBe(200)
      const refused = await sendRequest(costly)
      expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([429, 'PT429'])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    } finally {
      await shop.close()
    }
  })
})
