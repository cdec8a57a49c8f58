import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import { testSize, reportFigure } from '#tests/long/test-size.ts'
import {
  book,
  type Outcome,
  readServices,
  type Service,
  type Slot,
  upcomingSlots,
} from '#tests/long/support/visitor-client.ts'

const rushes = testSize('CONCURRENT_ROUNDS', { short: 1, long: 10 })
const visitorCount = 200

let database: TestDatabase
let shop: ServerProcess
let services: Service[]
let slots: Slot[]
beforeAll(async () => {
  database = await createTestDatabase()
  shop = await startServer({
    DATABASE_URL: database.ownerUrl,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  })
  services = await readServices(shop)
  slots = upcomingSlots(240)
})
afterAll(async () => {
  await shop?.end()
  await database.drop()
})

const count = (outcomes: Outcome[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(outcomes, ({ status, code }) => `${status} ${code}`.trim())).map(
      ([name, all]) => [name, all?.length],
    ),
  )

async function overlaps(): Promise<number> {
  const { rows } = await database.owner.query<{ count: number }>(
    `select count(*)::int as count from public.bookings a
     join public.bookings b on a.id < b.id and a.occupied && b.occupied`,
  )
  return rows[0]?.count ?? -1
}

describe('two hundred concurrent bookings of the same time', () => {
  it.each(Array.from({ length: rushes }, (_, round) => round))(
    'succeed once; the shop refuses all others because the time is taken (round %i)',
    { timeout: 60_000 },
    async (round) => {
      const [service] = services
      const slot = slots[round]
      if (!service || !slot) throw new Error('Nothing to book.')
      const outcomes = await Promise.all(
        Array.from({ length: visitorCount }, (_, n) =>
          book(shop, service, slot, `rush${round}-${n}@example.com`),
        ),
      )
      // The product's data service (REST API), like PostgREST, responds to a violated exclusion constraint with the
      // status 400 and the SQLSTATE.
      expect(count(outcomes)).toEqual({ '201': 1, '400 23P01': visitorCount - 1 })
      if (round === 0)
        reportFigure(
          `${rushes} rounds of ${visitorCount}: one 201, ${visitorCount - 1} conflicts each, no 5xx`,
        )
    },
  )

  it('never overlap, even with services of different durations', { timeout: 60_000 }, async () => {
    const day = slots.at(-1)?.date ?? ''
    const times = ['12:00:00', '12:30:00', '13:00:00', '13:30:00', '14:00:00', '14:30:00']
    const outcomes = await Promise.all(
      Array.from({ length: visitorCount }, (_, n) => {
        const service = services[n % services.length] as Service
        const slot = { date: day, time: times[(n * 5) % times.length] ?? '12:00:00' }
        return book(shop, service, slot, `mixed-${n}@example.com`)
      }),
    )
    const counts = count(outcomes)
    expect(Object.keys(counts).toSorted()).toEqual(['201', '400 23P01'])
    expect(await overlaps()).toBe(0)
    expect(shop.output()).not.toMatch(/"level":"error"/)
    reportFigure(
      `${visitorCount} requests for overlapping services: ${counts['201']} booked, 0 overlaps`,
    )
  })
})
