import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rateLimitMessage } from '#contracts/api/rate-limit-message.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  bookingRow,
  type BookingRow,
  fixtureClock,
} from '#tests/support/database/database-fixtures.ts'

describe('the limits on the forms of visitors', () => {
  let shop: TestApp
  beforeAll(async () => {
    shop = await createTestApp()
  })
  afterAll(() => shop.close())
  beforeEach(async () => {
    shop.forgetRefusals()
    await shop.database.owner.query('delete from internal.rate_limits')
  })

  const insert = (
    table: string,
    rows: unknown = {},
    token = shop.config.anonKey,
    remoteAddress = '127.0.0.1',
  ) =>
    shop.inject({
      method: 'POST',
      url: `/rest/v1/${table}`,
      remoteAddress,
      headers: {
        apikey: shop.config.anonKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      payload: JSON.stringify(rows),
    })

  /** Requests the confirmation email as a client without form tokens does. Returns the status. */
  const confirm = async ({ appointment_time: time, customer_email: customerEmail }: BookingRow) => {
    const details = {
      serviceName: 'Story, 30 minutes',
      date: 'Saturday, November 28, 2026',
      time: formatTime(time ?? ''),
    }
    const { statusCode } = await shop.inject({
      method: 'POST',
      url: '/functions/v1/send-confirmation-email',
      headers: { apikey: shop.config.anonKey, 'content-type': 'application/json' },
      payload: JSON.stringify({ type: 'booking', customerName: '', customerEmail, details }),
    })
    return statusCode
  }

  it.each(['bookings', 'quote_requests'])(
    'accept ten rows of %s in ten minutes from one IP address, and refuse the next one with a PostgREST error',
    async (table) => {
      for (let count = 0; count < 10; count += 1) {
        expect((await insert(table)).statusCode).not.toBe(429)
      }
      const response = await insert(table)
      const wait = Number(response.headers['retry-after'])
      expect(wait).toBeGreaterThan(500)
      expect([response.statusCode, response.json()]).toEqual([
        429,
        {
          code: 'PT429',
          message: rateLimitMessage(wait),
          details: null,
          hint: null,
        },
      ])
    },
  )

  it('accept ten appointments on one day and their confirmation emails from a client without form tokens, then return 429', async () => {
    await setShopClock(shop.database.owner, fixtureClock)
    const serviceId = await addService(shop.database, 'Story, 30 minutes', 30)
    for (let nth = 0; nth < 10; nth += 1) {
      const row = bookingRow(serviceId, {
        appointment_time: `${13 + Math.floor(nth / 2)}:${nth % 2 === 0 ? '00' : '30'}:00`,
      })
      expect([(await insert('bookings', row)).statusCode, await confirm(row)]).toEqual([201, 200])
    }
    const { rows } = await shop.database.owner.query(
      'select status, count(*)::int from public.bookings group by status',
    )
    expect(rows).toEqual([{ status: 'confirmed', count: 10 }])
    expect((await insert('bookings', bookingRow(serviceId))).statusCode).toBe(429)
  })

  it('cause an error in supabase-js when they are exceeded', async () => {
    const client = await shop.createClient()
    for (let count = 0; count < 10; count += 1) await client.from('bookings').insert({})
    const { error, status } = await client.from('bookings').insert({})
    expect([status, error?.code]).toEqual([429, 'PT429'])
  })

  it('count each row of a batch insert', async () => {
    expect(
      (
        await insert(
          'bookings',
          Array.from({ length: 11 }, () => ({})),
        )
      ).statusCode,
    ).toBe(429)
  })

  it.each(['%62ookings', '%71uote_requests', 'bookings?', '%62%6f%6f%6b%69%6e%67%73?select=id'])(
    'apply to every URL encoding of a table name: %s',
    async (spelling) => {
      for (let count = 0; count < 10; count += 1) await insert(spelling)
      expect((await insert(spelling)).statusCode).toBe(429)
    },
  )

  it('refuse further forms from an IP address after 30 forms on one day', async () => {
    await insert('bookings')
    await shop.database.owner.query(
      `update internal.rate_limits set taken = 30 where resets_at > now() + interval '1 hour'`,
    )
    expect((await insert('bookings')).statusCode).toBe(429)
  })

  it.each([
    ['sixteen networks of one /56', (nth: number) => `2001:db8:0:${nth.toString(16)}::1`, 15],
    ['many networks of one /48', (nth: number) => `2001:db8:1:${nth.toString(16)}00::1`, 20],
    ['the addresses of one /24', (nth: number) => `203.0.113.${nth}`, 15],
  ])('the form limits count all requests from %s together', async (_case, addressOf, allowed) => {
    const responses: number[] = []
    for (let nth = 0; nth < 16 * 3; nth += 1) {
      const address = addressOf(nth % 16)
      responses.push((await insert('bookings', {}, shop.config.anonKey, address)).statusCode)
    }
    expect(responses.filter((status) => status !== 429)).toHaveLength(allowed)
    const elsewhere = await insert('bookings', {}, shop.config.anonKey, '198.51.100.7')
    expect(elsewhere.statusCode).not.toBe(429)
  })

  it('do not count the refused requests of one client toward the limit of its network', async () => {
    for (let count = 0; count < 80; count += 1) {
      await insert('bookings', {}, shop.config.anonKey, '203.0.113.5')
    }
    const neighbour = await insert('bookings', {}, shop.config.anonKey, '203.0.113.6')
    expect(neighbour.statusCode).not.toBe(429)
  })

  it('do not apply to reads, to tables without a form, or to staff', async () => {
    await insert(
      'bookings',
      Array.from({ length: 11 }, () => ({})),
    )
    const read = await shop.inject({
      url: '/rest/v1/services?select=name',
      headers: { apikey: shop.config.anonKey },
    })
    expect(read.statusCode).toBe(200)
    expect((await insert('tasks')).statusCode).not.toBe(429)
    const login = await shop.inject({
      method: 'POST',
      url: '/api/admin/login',
      payload: { username: 'admin', password: 'correct horse battery' },
    })
    const token = login.json<{ session: { access_token: string } }>().session.access_token
    expect((await insert('bookings', {}, token)).statusCode).not.toBe(429)
  })
})
