import ical from 'ical.js'
import nodeIcal from 'node-ical'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { calendarFeedEndpoints } from '#contracts/calendar-feed.ts'
import { logPath } from '#server/platform/http/request-log.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { addService, admin, fixtureClock } from '#tests/support/database/database-fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

let shop: TestApp
let cookie: string
let serviceId: string
beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
  await setShopClock(shop.database.owner, fixtureClock)
  cookie = await shop.logInConfirmed()
  serviceId = await addService(shop.database, 'Brakes; pads, discs', 60)
})
afterAll(() => shop.close())
beforeEach(() => shop.database.owner.query(truncateTables('public.bookings')))

type Made = { id: string; version: number }
const asAdmin = async (sql: string, values: unknown[]): Promise<Made> => {
  const [row] = await shop.database.database.transaction(admin, (query) =>
    query.unchecked<Made>(sql, values),
  )
  if (!row) throw new Error('Nothing was answered.')
  return row
}
const book = (date: string, time: string, notes = 'It\npulls to the left.') =>
  asAdmin(
    `select id, version from public.book_by_phone(service_id => $1, appointment_date => $2, appointment_time => $3,
       customer_name => 'Sam Okafor', customer_phone => '555-0155', notes => $4)`,
    [serviceId, date, time, notes],
  )
const sendRequest = async (
  action: keyof typeof calendarFeedEndpoints,
  headers: object = { cookie },
) => {
  const { method, path } = calendarFeedEndpoints[action]
  return await shop.inject({ method, url: path, headers: { ...headers } })
}
const addressOf = async (action: keyof typeof calendarFeedEndpoints) =>
  calendarFeedEndpoints[action].response.parse((await sendRequest(action)).json()).url
const newPath = async () => new URL((await addressOf('renew')) ?? '').pathname
const get = (url: string, headers: Record<string, string> = {}) => shop.inject({ url, headers })

describe('the owner’s calendar feed', () => {
  it('lists the upcoming appointments, which two independent iCalendar parsers read identically', async () => {
    const { id, version } = await book('2026-11-24', '13:00')
    await asAdmin(`select id, version from public.move_booking($1, $2, '2026-11-24', '15:00')`, [
      id,
      version,
    ])
    const cancelled = await book('2026-11-25', '13:00')
    await asAdmin(`select id, version from public.change_booking_state($1, 'cancelled', $2)`, [
      cancelled.id,
      cancelled.version,
    ])
    const response = await get(await newPath())
    expect(response.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
    })
    const calendar = new ical.Component(ical.parse(response.body))
    expect(calendar.getFirstPropertyValue('method')).toBeNull()
    const [vevent, ...more] = calendar.getAllSubcomponents('vevent')
    expect(more).toEqual([])
    const event = new ical.Event(vevent)
    expect(event).toMatchObject({
      uid: `booking-${id}`,
      sequence: 1,
      summary: 'Sam Okafor, Brakes; pads, discs',
      description: "Bay 1\n555-0155\nCustomer's note: It pulls to the left.",
      attendees: [],
    })
    expect(event.startDate.toJSDate().toISOString()).toBe('2026-11-24T23:00:00.000Z')
    const other = Object.values(nodeIcal.sync.parseICS(response.body)).filter(
      (part) => part?.type === 'VEVENT',
    )
    expect(other).toMatchObject([
      { uid: `booking-${id}`, summary: 'Sam Okafor, Brakes; pads, discs' },
    ])
    expect(other[0]?.start?.toISOString()).toBe('2026-11-24T23:00:00.000Z')
  })

  it('returns 304 Not Modified until an appointment changes, and then returns the changed calendar', async () => {
    const made = await book('2026-11-24', '13:00')
    const path = await newPath()
    const first = await get(path)
    const etagHeaders = { 'if-none-match': String(first.headers.etag) }
    expect((await get(path, etagHeaders)).statusCode).toBe(304)
    await setShopClock(shop.database.owner, '2026-11-20T19:00:00Z')
    await asAdmin(`select id, version from public.move_booking($1, $2, '2026-11-24', '15:00')`, [
      made.id,
      made.version,
    ])
    const second = await get(path, etagHeaders)
    await setShopClock(shop.database.owner, fixtureClock)
    expect(second.statusCode).toBe(200)
    expect(first.body).toContain('SEQUENCE:0')
    expect(first.body).toContain('LAST-MODIFIED:20261120T180000Z')
    expect(second.body).toContain('SEQUENCE:1')
    expect(second.body).toContain('LAST-MODIFIED:20261120T190000Z')
    // In a calendar file without the property METHOD, DTSTAMP is the time of the last change of the event (RFC 5545,
    // section 3.8.7.2).
    expect(first.body).toContain('DTSTAMP:20261120T180000Z')
    expect(second.body).toContain('DTSTAMP:20261120T190000Z')
  })

  it('has no URL until the owner creates one; a new URL replaces the former one', async () => {
    expect(await addressOf('end')).toBeNull()
    expect(await addressOf('read')).toBeNull()
    const first = await newPath()
    expect(new URL((await addressOf('read')) ?? '').pathname).toBe(first)
    const second = await newPath()
    expect((await get(first)).statusCode).toBe(404)
    expect((await get(second)).statusCode).toBe(200)
    await addressOf('end')
    expect((await get(second)).statusCode).toBe(404)
  })

  it.each([
    [
      'a guessed token',
      (path: string) => path.replace(/.(?=\.ics)/, (last) => (last === 'A' ? 'B' : 'A')),
    ],
    ['an incomplete token', (path: string) => path.replace(/.\.ics$/, '.ics')],
    ['no token', () => '/calendar/.ics'],
  ])('refuses a request with %s', async (_what, spoil) => {
    await book('2026-11-24', '13:00')
    const response = await get(spoil(await newPath()))
    expect(response.statusCode).toBe(404)
    expect(response.body).not.toContain('Okafor')
  })

  it('does not return its secret URL to a client without a session', async () => {
    for (const action of ['read', 'renew', 'end'] as const) {
      expect((await sendRequest(action, {})).statusCode).toBe(401)
    }
  })

  it('writes no feed URL to the log', async () => {
    const path = await newPath()
    expect(logPath(path)).not.toContain(path.slice(10, 20))
  })
})
