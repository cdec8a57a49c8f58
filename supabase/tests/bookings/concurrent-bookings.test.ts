import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Identity } from '@local/postgres'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  bookingRow,
  insertRow,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

let database: TestDatabase
let serviceId: string
beforeAll(async () => {
  database = await createTestDatabase()
  await setShopClock(database.owner, fixtureClock)
  serviceId = await addService(database, 'Story, 30 minutes', 30)
})
afterAll(() => database.drop())
beforeEach(() => database.owner.query(truncateTables('public.bookings')))

const from = (address: string, more: Record<string, string> = {}): Identity => ({
  role: 'anon',
  headers: { ...visitor.headers, 'x-client-address-hash': address, ...more },
})

let customerCount = 0

/** Books the half-hour slot number `nth`, counted from the first slot of Saturday, for a new customer. */
async function book(nth: number, identity: Identity): Promise<void> {
  customerCount += 1
  const minute = 510 + (nth % 24) * 30
  const row = bookingRow(serviceId, {
    appointment_date: nth < 24 ? '2026-11-28' : '2026-11-29',
    appointment_time: `${Math.floor(minute / 60)}:${minute % 60 === 0 ? '00' : '30'}`,
    customer_email: `person${customerCount}@example.com`,
    customer_phone: `(650) 555-${String(customerCount).padStart(4, '0')}`,
  })
  await database.database.transaction(identity, (query) => insertRow(query, 'bookings', row))
}

async function held(): Promise<string[][]> {
  const { rows } = await database.owner.query<{ reasons: string[] }>(
    'select flagged_reasons as reasons from public.bookings where held_until is not null',
  )
  return rows.map(({ reasons }) => reasons)
}

describe('ordinary bookings (not flagged as automated)', () => {
  it('are accepted six times a day from one client, and the seventh is held for confirmation', async () => {
    for (let nth = 0; nth < 6; nth += 1) await book(nth, from('one'))
    expect(await held()).toEqual([])
    await book(6, from('one'))
    await book(7, from('another'))
    expect(await held()).toEqual([['many_from_one_client']])
  })

  it('are accepted only six times from one client, even when all requests are concurrent', async () => {
    await Promise.all(Array.from({ length: 9 }, (_, nth) => book(nth, from('one'))))
    expect(await held()).toHaveLength(3)
  })

  it('are accepted twenty-five times an hour from all clients together, and the next one is held for confirmation', async () => {
    for (let nth = 0; nth < 25; nth += 1) await book(nth, from(`client ${nth}`))
    expect(await held()).toEqual([])
    await book(25, from('a person'))
    expect(await held()).toEqual([['many_at_once']])
    await database.owner.query(
      `update internal.form_origins set created_at = created_at - interval '61 minutes'`,
    )
    await book(26, from('a person'))
    expect(await held()).toHaveLength(1)
  })

  it('are accepted up to a daily limit for all clients together, and the next one is held for confirmation', async () => {
    await database.owner.query(
      `update internal.visitor_booking_limits set max_count = 3 where name = 'site' and period = '1 day'`,
    )
    for (let nth = 0; nth < 3; nth += 1) await book(nth, from(`client ${nth}`))
    await database.owner.query(
      `update internal.form_origins set created_at = created_at - interval '23 hours'`,
    )
    await book(3, from('a person'))
    expect(await held()).toEqual([['many_at_once']])
    await database.owner.query(
      `update internal.visitor_booking_limits set max_count = 60 where name = 'site' and period = '1 day'`,
    )
  })

  it('are not counted if the shop’s server switches the limits off for a load test, but are counted if a client of a hosted project sends the same header', async () => {
    const loadTest = { 'x-rate-limits': 'off' }
    for (let nth = 0; nth < 7; nth += 1) await book(nth, from('one', loadTest))
    expect(await held()).toEqual([])
    await book(7, from('one', { ...loadTest, 'cf-connecting-ip': '192.0.2.1' }))
    expect(await held()).toEqual([])
    for (let nth = 8; nth < 14; nth += 1) {
      await book(nth, from('one', { ...loadTest, 'cf-connecting-ip': '192.0.2.1' }))
    }
    expect(await held()).toEqual([['many_from_one_client']])
  })
})
