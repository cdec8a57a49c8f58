import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '@local/postgres'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  admin,
  bookingRow,
  insertRow,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

let shop: TestDatabase
let pool: Database
let services: string[]
beforeAll(async () => {
  shop = await createTestDatabase()
  pool = openDatabase(shop.url, { maxConnections: 50 })
  services = []
  for (const minutes of [30, 60, 90, 120]) {
    services.push(await addService(shop, `Story, ${minutes} minutes`, minutes))
  }
  await setShopClock(shop.owner, fixtureClock)
  // Each new connection plans the statements of a booking first, which takes seconds with 50 connections on a busy
  // machine. Later requests would wait for a connection longer than the five seconds that the pool allows.
  await bookConcurrently(Array.from({ length: 50 }, () => ({ service: 0, time: '12:00' })))
})
afterAll(async () => {
  await pool.close()
  await shop.drop()
})
beforeEach(() => shop.owner.query(truncateTables('public.bookings')).then(() => undefined))

/** Sends all bookings concurrently and counts the results: 'booked', or the error code of the refusal. */
async function bookConcurrently(
  requests: { service: number; time: string }[],
): Promise<Record<string, number>> {
  // Opens all database connections before the first insert, so that all inserts start at the same time.
  await Promise.all(Array.from({ length: 50 }, () => pool.pool.query('select pg_sleep(0.05)')))
  const outcomes = await Promise.all(
    requests.map(({ service, time }, number) =>
      pool
        .transaction(visitor, (query) =>
          insertRow(
            query,
            'bookings',
            bookingRow(services[service] ?? '', {
              appointment_time: time,
              customer_email: `visitor${number}@example.com`,
              customer_phone: `(650) 555-${String(100 + number).padStart(4, '0')}`,
            }),
          ),
        )
        .then(
          () => 'booked',
          (error: { code?: string }) => error.code ?? 'no code',
        ),
    ),
  )
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** Counts the pairs of bookings that occupy the same time; a cancelled booking occupies no time. */
async function overlaps(): Promise<number> {
  const { rows } = await shop.owner.query<{ count: number }>(
    `with held as (select id, occupied from public.bookings where status <> 'cancelled')
     select count(*)::int as count from held a join held b
     on a.id < b.id and a.occupied && b.occupied`,
  )
  return rows[0]?.count ?? -1
}

describe('two hundred concurrent visitors', () => {
  it.each([1, 2, 3])(
    'get one booking of one slot, and 199 refusals because the slot is taken (round %i)',
    async () => {
      const requests = Array.from({ length: 200 }, () => ({ service: 2, time: '13:30' }))
      expect(await bookConcurrently(requests)).toEqual({ booked: 1, '23P01': 199 })
    },
  )

  it('who book services of different durations and starts get no overlapping times and cause no deadlock', async () => {
    const starts = ['12:00', '12:30', '13:00', '13:30', '14:00', '14:30']
    const requests = Array.from({ length: 200 }, (_, number) => ({
      service: number % 4,
      time: starts[(number * 7) % starts.length] ?? '13:30',
    }))
    const counts = await bookConcurrently(requests)
    expect(Object.keys(counts).toSorted()).toEqual(['23P01', 'booked'])
    expect(counts['booked']).toBeGreaterThanOrEqual(2)
    expect(await overlaps()).toBe(0)
  })

  it('get one booking each when there are two hundred consecutive slots', async () => {
    const requests = Array.from({ length: 12 }, (_, number) => ({
      service: 0,
      time: `${String(12 + Math.floor(number / 2))}:${number % 2 === 0 ? '00' : '30'}`,
    }))
    expect(await bookConcurrently(requests)).toEqual({ booked: 12 })
  })

  it('and an admin who reopens a cancelled booking of the same slot get one booking in total', async () => {
    await pool.transaction(visitor, (query) =>
      insertRow(query, 'bookings', bookingRow(services[2] ?? '')),
    )
    await shop.owner.query(`update public.bookings set status = 'cancelled'`)
    const requests = Array.from({ length: 60 }, () => ({ service: 2, time: '13:30' }))
    const [counts, reopened] = await Promise.all([
      bookConcurrently(requests),
      pool
        .transaction(admin, (query) =>
          query.unchecked(`update public.bookings set status = 'confirmed'`),
        )
        .then(
          () => 'reopened',
          (error: { code?: string }) => error.code,
        ),
    ])
    expect(['reopened', '23P01']).toContain(reopened)
    expect(counts['booked'] ?? 0).toBe(reopened === 'reopened' ? 0 : 1)
    expect(Object.keys(counts).filter((code) => !['booked', '23P01'].includes(code))).toEqual([])
    expect(await overlaps()).toBe(0)
  })
})
