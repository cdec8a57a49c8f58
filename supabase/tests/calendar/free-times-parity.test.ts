import { array, boolean, constantFrom, integer, record, sample } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '#domain/calendar/calendar-date.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addBay,
  addService,
  admin,
  fixtureClock,
} from '#tests/support/database/database-fixtures.ts'

/*
 * Compares the times that the dashboard offers for moving an appointment with those that the database accepts without a
 * warning: bays, closures and vehicles are random, and the appointments last from half an hour to several days.
 */

let shop: TestDatabase
let serviceId: string
let bays: string[]
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, fixtureClock)
  serviceId = await addService(shop, 'Story, any length', 60)
  const { rows } = await shop.owner.query<{ id: string }>('select id from public.bays')
  bays = [rows[0]?.id ?? '', await addBay(shop, 'Bay 2')]
})
afterAll(() => shop.drop())

/** The first date of the comparison: a Saturday, a week after the test's current date. */
const firstDate = '2026-11-28'
const days = 4
const jobMinutes = [30, 240, 600, 1260, 4000] as const

const placed = record({
  day: integer({ min: -1, max: days }),
  quarter: integer({ min: 30, max: 85 }),
  minutes: constantFrom(15, 60, 105, 480, 1320, 2900),
  bay: integer({ min: 0, max: 1 }),
  isNoShow: boolean(),
})
const closed = record({
  day: integer({ min: 0, max: days }),
  quarter: integer({ min: 0, max: 95 }),
  minutes: constantFrom(45, 180, 1440),
  isOneBay: boolean(),
})
const week = record({
  bookings: array(placed, { minLength: 2, maxLength: 7 }),
  closures: array(closed, { maxLength: 3 }),
})

async function fill(number: number): Promise<void> {
  const [drawn] = sample(week, { seed: 20261128 + number, numRuns: 1 })
  if (!drawn) throw new Error('No week was drawn.')
  await shop.owner.query(`${truncateTables('public.bookings')}; delete from public.special_hours`)
  for (const { day, quarter, minutes, isOneBay } of drawn.closures) {
    await shop.owner.query(
      `insert into public.special_hours (starts_at, ends_at, bay_id)
       select start, start + $3 * interval '1 minute', $4
       from (select $1::date + $2 * interval '15 minutes' as start) closure`,
      [addDays(firstDate, day), quarter, minutes, isOneBay ? bays[0] : null],
    )
  }
  for (const { day, quarter, minutes, bay, isNoShow } of drawn.bookings) {
    await shop.owner.query(
      `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, bay_id,
         customer_name, customer_phone, status)
       select $1, $2, time '00:00' + $3 * interval '15 minutes', $4::integer, $5, 'Sam Okafor', '555-0155', $6
       where not exists (
         select from public.bookings where bay_id = $5 and status = 'confirmed'
           and occupied && tsrange($2::date + $3 * interval '15 minutes',
                                   $2::date + $3 * interval '15 minutes' + $4::integer * interval '1 minute'))`,
      [
        serviceId,
        addDays(firstDate, day),
        quarter,
        minutes,
        bays[bay],
        isNoShow ? 'no_show' : 'confirmed',
      ],
    )
  }
}

const asAdmin = async (sql: string, values: unknown[]): Promise<string[]> => {
  const rows = await shop.database.transaction(admin, (query) =>
    query.unchecked<{ at: string }>(sql, values),
  )
  return rows.map(({ at }) => at)
}
/** Lists the offered times of a bay as 'yyyy-MM-dd HH:mm'. */
const offered = (bay: string | undefined, minutes: number) =>
  asAdmin(
    `select to_char(free_date + free_time, 'YYYY-MM-DD HH24:MI') as at
     from public.next_free_times($1, $2, $3, $4, null, 500, $5)`,
    [serviceId, firstDate, minutes, bay, days],
  )
const accepted = (bay: string | undefined, minutes: number, dateTimes: string[]) =>
  asAdmin(
    `select moment as at
     from unnest($5::text[]) moment, public.check_booking_time($1, moment::timestamp::date, moment::timestamp::time, $3, $4)
     where refusal is null and not 'outside_hours' = any (warnings) and moment::date >= $2 order by 1`,
    [serviceId, firstDate, minutes, bay, dateTimes],
  )
const halfHours = Array.from({ length: days * 48 }, (_, nth) => {
  const hour = String(Math.floor((nth % 48) / 2)).padStart(2, '0')
  return `${addDays(firstDate, Math.floor(nth / 48))} ${hour}:${nth % 2 === 0 ? '00' : '30'}`
})

describe.each([1, 2, 3])('in the random week %i', (number) => {
  beforeAll(() => fill(number))

  it.each(jobMinutes)(
    'the dashboard offers exactly the free times that the database accepts for an appointment of %i minutes',
    async (minutes) => {
      for (const bay of bays) {
        const times = await offered(bay, minutes)
        const dateTimes = [...new Set([...halfHours, ...times])]
        expect(times).toEqual(await accepted(bay, minutes, dateTimes))
      }
    },
  )
})
