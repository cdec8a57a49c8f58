import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { shopDay, type ShopDay } from '#contracts/bookings/day.ts'
import { findOtherBookingsOfVehicle } from '#domain/bookings/same-vehicle.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import {
  addBay,
  addService,
  admin,
  refusalTo,
  fixtureClock,
  signedInStranger,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
let serviceId: string
let bay1: string
let bay2: string
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, fixtureClock)
  serviceId = await addService(shop, 'Story, 90 minutes', 90)
  const [first] = (await shop.owner.query<{ id: string }>('select id from public.bays')).rows
  bay1 = first?.id ?? ''
  bay2 = await addBay(shop, 'Rack')
  await shop.owner.query('insert into public.bay_services values ($1, $2)', [bay2, serviceId])
})
afterAll(() => shop.drop())
beforeEach(() =>
  shop.owner.query(`${truncateTables('public.bookings')}; delete from public.special_hours`),
)

const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked<Row>(sql, values))
const readDay = async (day: string): Promise<ShopDay> => {
  const [row] = await asAdmin<{ read: unknown }>('select public.read_day($1) as read', [day])
  return shopDay.parse(row?.read)
}
type Change = { date?: string; time?: string; name?: string; phone?: string; minutes?: number }
const book = async (change: Change = {}) => {
  const [row] = await asAdmin<{ id: string }>(
    `select id from public.book_by_phone(service_id => $1, appointment_date => $2, appointment_time => $3,
       customer_name => $4, customer_phone => $5, minutes => $6, vehicle_year => '2019', vehicle_make => 'Subaru')`,
    [
      serviceId,
      change.date ?? '2026-11-28',
      change.time ?? '13:30',
      change.name ?? 'Sam Okafor',
      change.phone ?? '(650) 555-0155',
      change.minutes ?? null,
    ],
  )
  return row?.id ?? ''
}
const find = (search: string) =>
  asAdmin<Record<string, unknown>>('select * from public.find_customers($1)', [search])

describe('the data of a day', () => {
  it('are returned by one call with hours, bays, closures and bookings', async () => {
    await shop.owner.query(
      `insert into public.special_hours (starts_at, ends_at, bay_id, reason)
       values ('2026-11-28 12:00', '2026-11-28 13:00', $1, 'The lift is checked')`,
      [bay1],
    )
    const id = await book()
    const day = await readDay('2026-11-28')
    expect(day).toMatchObject({
      day: '2026-11-28',
      now: '2026-11-20T10:00:00',
      open: [{ opensAtMinute: 510, closesAtMinute: 1260 }],
      bays: [
        {
          name: 'Bay 1',
          service_ids: null,
          open: [
            { opensAtMinute: 510, closesAtMinute: 720 },
            { opensAtMinute: 780, closesAtMinute: 1260 },
          ],
        },
        { name: 'Rack', service_ids: [serviceId] },
      ],
      closures: [{ bay_id: bay1, starts_at: '2026-11-28T12:00:00', reason: 'The lift is checked' }],
      bookings: [
        {
          id,
          version: 1,
          starts_at: '2026-11-28T13:30:00',
          ends_at: '2026-11-28T15:00:00',
          state: 'confirmed',
          customer_email: null,
          schedule_conflict: null,
          has_task: false,
        },
      ],
    })
    expect(day.last_event_id).toBeGreaterThan(0)
  })

  it('contain a vehicle that stays overnight on both of its dates and on no other date', async () => {
    const id = await book({ time: '20:00', minutes: 14 * 60 })
    for (const day of ['2026-11-28', '2026-11-29']) {
      expect((await readDay(day)).bookings.map((booking) => booking.id)).toEqual([id])
    }
    for (const day of ['2026-11-27', '2026-11-30']) {
      expect((await readDay(day)).bookings).toEqual([])
    }
  })

  it('contain a booking of the maximum duration', async () => {
    const id = await book({ date: '2026-11-28', time: '23:55', minutes: 20_160 })
    expect((await readDay('2026-12-12')).bookings.map((booking) => booking.id)).toEqual([id])
  })

  it('mark bookings outside the hours and bookings without a bay', async () => {
    await book({ time: '09:00' })
    await shop.owner.query('update public.bookings set bay_id = null')
    await book({ time: '16:00', name: 'Robin' })
    await shop.owner.query(
      `insert into public.special_hours (starts_at, ends_at) values ('2026-11-28 15:00', '2026-11-29')`,
    )
    expect(
      (await readDay('2026-11-28')).bookings.map(
        ({ schedule_conflict: scheduleConflict }) => scheduleConflict,
      ),
    ).toEqual(['no_bay', 'outside_hours'])
  })

  it('show that a vehicle is booked in two bays at one time, until one of the bookings is cancelled', async () => {
    const first = await book({ time: '11:00' })
    const second = await book({ time: '11:30' })
    await book({ time: '14:00' })
    await book({ time: '14:00', name: 'Maria Delgado', phone: '650 555 0167' })
    const bookedTwice = async () => {
      const { bookings } = await readDay('2026-11-28')
      return bookings
        .filter((booking) => findOtherBookingsOfVehicle(bookings, booking).length > 0)
        .map(({ id, bay_id }) => ({ id, bay_id }))
    }
    expect(await bookedTwice()).toEqual([
      { id: first, bay_id: bay2 },
      { id: second, bay_id: bay1 },
    ])
    await asAdmin('select public.cancel_bookings(array[$1::uuid])', [second])
    expect(await bookedTwice()).toEqual([])
  })

  it('contain empty lists if the day has no hours and no bookings', async () => {
    await shop.owner.query(
      `insert into public.special_hours (starts_at, ends_at) values ('2026-11-28', '2026-11-29')`,
    )
    expect(await readDay('2026-11-28')).toMatchObject({ open: [], bookings: [] })
  })
})

describe('the search for the customer of a phone booking', () => {
  it('returns a customer once by name, phone number or vehicle, with all known details', async () => {
    await book({ date: '2026-10-03', time: '10:00' })
    await book({ date: '2026-11-02', time: '12:00' })
    await book({ name: 'Maria Delgado', phone: '650 555 0167' })
    await shop.owner.query(
      `update public.bookings set status = 'no_show' where appointment_date = '2026-11-02'`,
    )
    const vehicle = (await readDay('2026-10-03')).bookings[0]?.vehicle_id
    for (const search of ['okafor', 'OKA', 'sam', '5550155', '(650) 555-01 55', 'sam subaru']) {
      expect(await find(search)).toEqual([
        {
          customer_name: 'Sam Okafor',
          customer_phone: '(650) 555-0155',
          customer_email: null,
          vehicles: [{ id: vehicle, year: '2019', make: 'Subaru', model: null, color: null }],
          last_appointment: '2026-10-03',
          last_service_id: serviceId,
          last_service_name: 'Story, 90 minutes',
          next_appointment: null,
          appointment_count: 1,
          no_shows: 1,
        },
      ])
    }
    expect((await find('subaru')).map(({ customer_name }) => customer_name)).toEqual([
      'Maria Delgado',
      'Sam Okafor',
    ])
    expect((await find('maria'))[0]).toMatchObject({
      next_appointment: '2026-11-28',
      appointment_count: 0,
    })
  })

  it('finds words that begin with a search text of at least two letters', async () => {
    await book()
    expect(await find('ok')).toHaveLength(1)
    expect(await find('ka')).toHaveLength(0)
    expect(await find('o')).toHaveLength(0)
    expect(await find('  ')).toHaveLength(0)
    expect(await find('%%')).toHaveLength(0)
  })

  it('returns two customers when two names have the same phone number', async () => {
    await book()
    await book({ time: '16:00', name: 'Ada Okafor' })
    expect(await find('5550155')).toHaveLength(2)
  })

  it("returns the customer's other appointments", async () => {
    const past = await book({ date: '2026-10-03', time: '10:00' })
    const id = await book({ phone: '+1 650 555 0155' })
    await book({ time: '16:00', name: 'Ada Okafor' })
    const bookings = await asAdmin('select id from public.list_other_bookings($1)', [id])
    expect(bookings).toEqual([{ id: past }])
  })
})

describe('the capacity of the bays', () => {
  it('is returned for each date with the number of appointments that begin and the open minutes of all bays', async () => {
    await book()
    await book({ time: '16:00', minutes: 30 })
    await asAdmin(
      `select public.cancel_bookings(array_agg(id)) from public.bookings where duration_minutes = 30`,
    )
    expect(await asAdmin(`select * from public.read_daily_loads('2026-11-27', 2)`)).toEqual([
      { day: '2026-11-27', booking_count: 0, open_minutes: 1500 },
      { day: '2026-11-28', booking_count: 1, open_minutes: 1500 },
    ])
  })
})

describe('the permission to read the day', () => {
  it('belongs to the admin only', async () => {
    const id = await book()
    for (const call of [
      `public.read_day('2026-11-28')`,
      `public.find_customers('sam')`,
      `public.list_other_bookings('${id}')`,
      `public.read_daily_loads('2026-11-28')`,
    ]) {
      for (const identity of [visitor, signedInStranger]) {
        const refusal = await refusalTo(shop.database, identity, (query) =>
          query.unchecked(`select * from ${call}`),
        )
        expect(refusal.code).toBe('42501')
      }
    }
  })

  it('includes the permission to read the internal notes', async () => {
    const id = await book()
    const write = `update public.bookings set internal_note = 'Pads are here' where id = $1 returning id`
    expect(await asAdmin(write, [id])).toEqual([{ id }])
    expect((await readDay('2026-11-28')).bookings[0]?.internal_note).toBe('Pads are here')
    expect(
      await shop.database.transaction(signedInStranger, (query) => query.unchecked(write, [id])),
    ).toEqual([])
  })
})

describe('among thousands of appointments', () => {
  /**
   * Counts the database pages (blocks) that a call reads, from the buffers or from disk, on a connection that has
   * cached the catalog.
   */
  const pagesReadFor = (call: string) =>
    shop.database.transaction(admin, async (query) => {
      const read = `select * from ${call}`
      await query.unchecked(read)
      const [row] = await query.unchecked<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `explain (analyze, buffers, format json) ${read}`,
      )
      const plan = row?.['QUERY PLAN'][0].Plan ?? {}
      return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
    })

  it(
    'the day view and the phone customer search read few database pages because they use an index',
    { timeout: 60_000 },
    async () => {
      await shop.owner.query('alter table public.bookings disable trigger user')
      await shop.owner.query(
        `insert into public.bookings (service_id, service_name, appointment_date, appointment_time,
         duration_minutes, customer_name, customer_phone, search_text, bay_id, notified_starts_at)
       select $1, 'Story', date '2020-01-01' + n / 10, time '06:00' + n % 10 * interval '90 minutes', 60,
         'Person ' || md5(n::text), '650' || lpad((n * 7919 % 10000000)::text, 7, '0'),
         'person ' || md5(n::text) || ' 650' || lpad((n * 7919 % 10000000)::text, 7, '0'), $2,
         date '2020-01-01' + n / 10 + time '06:00' + n % 10 * interval '90 minutes'
       from generate_series(0, 9999) n`,
        [serviceId, bay1],
      )
      await shop.owner.query('alter table public.bookings enable trigger user')
      await shop.owner.query('vacuum analyze public.bookings')
      const { rows } = await shop.owner.query<{ pages: number }>(
        `select (pg_relation_size('public.bookings') / 8192)::int as pages`,
      )
      const all = rows[0]?.pages ?? 0
      expect(await pagesReadFor(`public.read_day('2021-05-05')`)).toBeLessThan(all / 2)
      expect(await pagesReadFor(`public.find_customers('a3f9c')`)).toBeLessThan(all / 2)
      expect(await pagesReadFor(`public.find_customers('6500007919')`)).toBeLessThan(all / 2)
    },
  )
})
