import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDays } from '#domain/calendar/calendar-date.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  bookingRow,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

let shop: TestApp
let serviceId: string
beforeAll(async () => {
  shop = await createTestApp()
  serviceId = await addService(shop.database, 'Story, 90 minutes', 90)
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.forgetRefusals()
  await setShopClock(shop.database.owner, fixtureClock)
  await shop.database.owner.query(truncateTables('public.bookings', 'internal.rate_limits'))
})

type Attempt = { row: Record<string, string | null>; from: string }

/** 160 bookings for consecutive slots from the day after tomorrow on, ten from each of sixteen IP networks. */
function attemptsFrom(networkOf: (nth: number) => string): Attempt[] {
  return Array.from({ length: 160 }, (_, nth) => ({
    from: networkOf(nth % 16),
    row: bookingRow(serviceId, {
      appointment_date: addDays('2026-11-21', Math.floor(nth / 6)),
      appointment_time: `${11 + Math.floor(((nth % 6) * 3) / 2)}:${nth % 2 === 0 ? '00' : '30'}`,
      customer_email: `stranger${nth}@example.com`,
      customer_phone: `(650) 555-${String(nth).padStart(4, '0')}`,
    }),
  }))
}

/**
 * Sends rounds of sixteen concurrent bookings, each from another IP network; returns the number of successful bookings.
 */
async function attack(
  all: Attempt[],
  headersOf: () => Record<string, string>,
  search = '',
): Promise<number> {
  let bookedCount = 0
  for (let round = 0; round < all.length; round += 16) {
    const responses = await Promise.all(
      all.slice(round, round + 16).map(({ row, from }) => send(row, headersOf(), from, search)),
    )
    bookedCount += responses.filter(({ statusCode }) => statusCode === 201).length
  }
  return bookedCount
}

function send(
  body: object,
  headers: Record<string, string>,
  remoteAddress = '127.0.0.1',
  search = '',
) {
  return shop.inject({
    method: 'POST',
    url: `/rest/v1/bookings${search}`,
    remoteAddress,
    headers: { apikey: shop.config.anonKey, 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  })
}

/** Reads the number of free slots that the booking page shows a visitor for Saturday. */
async function freeOnSaturday(): Promise<number> {
  const [row] = await shop.database.database.transaction(visitor, (query) =>
    query.unchecked<{ free: number }>(
      `select count(*)::int as free from generate_series(0, 7) nth
       where public.is_time_slot_available(90, '2026-11-28', time '08:30' + nth * interval '90 minutes')`,
    ),
  )
  return row?.free ?? -1
}

/**
 * The number of database connections. Concurrent bookings can exceed a limit by one for each connection, because each
 * transaction counts the bookings before the other transactions commit.
 */
const inFlight = 10
const insideOneHome = (nth: number) => `2001:db8:0:${nth.toString(16)}::1`
const insideOneSite = (nth: number) => `2001:db8:0:${nth.toString(16)}00::1`
const anywhere = (nth: number) => `2001:db8:${nth.toString(16)}::1`
const noHeaders = () => ({})
const openedForms = () => ({ ...visitor.headers })

describe('an attacker who tries to fill the calendar', () => {
  it('without form tokens gets three slots every half hour from sixteen networks of one /48 network', async () => {
    expect(await attack(attemptsFrom(insideOneSite), noHeaders)).toBe(3)
    expect(await freeOnSaturday()).toBeGreaterThanOrEqual(5)
    await setShopClock(shop.database.owner, '2026-11-20T18:30:00Z')
    expect(await freeOnSaturday()).toBe(8)
  })

  it.each(['?id=eq./rpc/', '?apikey=/rpc/'])(
    'gets no additional slots with the URL /rest/v1/bookings%s',
    async (search) => {
      expect(await attack(attemptsFrom(insideOneSite), noHeaders, search)).toBe(3)
    },
  )

  it('without form tokens gets at most ten slots from sixteen /48 networks', async () => {
    expect(await attack(attemptsFrom(anywhere), noHeaders)).toBeLessThanOrEqual(10)
    await setShopClock(shop.database.owner, '2026-11-20T18:30:00Z')
    expect(await freeOnSaturday()).toBe(8)
  })

  it('with valid form tokens gets at most eleven slots from one /56 network', async () => {
    expect(await attack(attemptsFrom(insideOneHome), openedForms)).toBeLessThanOrEqual(8 + 3)
    expect(await freeOnSaturday()).toBeGreaterThanOrEqual(6)
  })

  it('with valid form tokens gets at most fifteen slots from one /48 network', async () => {
    expect(await attack(attemptsFrom(insideOneSite), openedForms)).toBeLessThanOrEqual(12 + 3)
    expect(await freeOnSaturday()).toBeGreaterThanOrEqual(6)
  })

  it('with valid form tokens gets at most the hourly limit of bookings and ten holds from sixteen /48 networks', async () => {
    expect(await attack(attemptsFrom(anywhere), openedForms)).toBeLessThanOrEqual(
      25 + 10 + inFlight,
    )
    expect(await freeOnSaturday()).toBeGreaterThanOrEqual(2)
  })

  it('cannot insert several bookings in one request', async () => {
    const rows = attemptsFrom(anywhere).map(({ row }) => row)
    const response = await send(rows.slice(0, 5), openedForms())
    expect(response.statusCode).toBe(400)
    const { rows: stored } = await shop.database.owner.query(
      'select count(*)::int from public.bookings',
    )
    expect(stored).toEqual([{ count: 0 }])
  })
})
