import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '@local/postgres'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import {
  addBay,
  addService,
  admin,
  bookingRow,
  insertRow,
  refusalTo,
  fixtureClock,
  signedInStranger,
  visitor,
  type BookingRow,
} from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
let serviceId: string
let alignmentId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, fixtureClock)
  serviceId = await addService(shop, 'Story, 90 minutes', 90)
  alignmentId = await addService(shop, 'Story, alignment', 60)
})
afterAll(() => shop.drop())
beforeEach(() =>
  shop.owner.query(
    `${truncateTables('public.bookings')}; delete from internal.form_origins;
     delete from public.bays where name <> 'Bay 1'; delete from public.bay_services`,
  ),
)

let customerCount = 0
const book = (change: BookingRow = {}, service = serviceId) => {
  customerCount += 1
  return shop.database.transaction(visitor, (query) =>
    insertRow(
      query,
      'bookings',
      bookingRow(service, {
        customer_email: `person${customerCount}@example.com`,
        customer_phone: `(650) 555-${String(customerCount).padStart(4, '0')}`,
        ...change,
      }),
    ),
  )
}
const outcomeOf = (booking: Promise<unknown>) =>
  booking.then(
    () => 'booked',
    (error: { code?: string }) => error.code ?? 'no code',
  )
const isFree = async (time: string, service: string | null = null, minutes = 90) => {
  const [row] = await shop.database.transaction(visitor, (query) =>
    query.unchecked<{ free: boolean }>(
      `select public.is_time_slot_available($1, '2026-11-28', $2, $3) as free`,
      [minutes, time, service],
    ),
  )
  return row?.free
}
const placed = async () => {
  const { rows } = await shop.owner.query<{ time: string; bay: string | null }>(
    `select to_char(appointment_time, 'HH24:MI') as time, bay.name as bay
     from public.bookings booking left join public.bays bay on bay.id = bay_id
     where status = 'confirmed' order by 1, 2`,
  )
  return rows.map(({ time, bay }) => `${time} ${bay}`)
}
const overlaps = async () => {
  const { rows } = await shop.owner.query<{ count: number }>(
    `select count(*)::int as count from public.bookings a join public.bookings b
     on a.id < b.id and a.bay_id = b.bay_id and a.occupied && b.occupied`,
  )
  return rows[0]?.count
}

describe('a new shop', () => {
  it('has one bay, to which every appointment is assigned', async () => {
    await book()
    expect(await placed()).toEqual(['13:30 Bay 1'])
    expect(await outcomeOf(book({ appointment_time: '14:00' }))).toBe('23P01')
  })

  it('refuses a taken time with a message that names the constraint', async () => {
    await book()
    const row = bookingRow(serviceId, { customer_email: 'robin@example.com' })
    const refusal = await refusalTo(shop.database, visitor, (query) =>
      insertRow(query, 'bookings', row),
    )
    expect(refusal).toEqual({ code: '23P01', hint: 'slot_taken', message: 'This time is taken.' })
  })

  it('assigns its bay even to a row that is inserted without the booking rules', async () => {
    const insert = `insert into public.bookings (service_id, appointment_date, appointment_time,
        duration_minutes, customer_name, customer_email, customer_phone)
      values ($1, '2026-11-28', '13:30', 90, 'Dana', 'dana@example.com', '555-0167')`
    await shop.owner.query(insert, [serviceId])
    await expect(shop.owner.query(insert, [serviceId])).rejects.toMatchObject({ code: '23P01' })
    expect(await isFree('13:30')).toBe(false)
  })
})

it('the database refuses an incomplete booking without waiting for the lock of its day', async () => {
  const other = await shop.owner.connect()
  try {
    await other.query(`begin; select internal.lock_booking_day('2026-11-28')`)
    const incomplete = shop.database.transaction(visitor, async (query) => {
      await query.unchecked(`select set_config('lock_timeout', '1s', true)`)
      await insertRow(query, 'bookings', bookingRow(serviceId, { vehicle_make: ' ' }))
    })
    expect(await outcomeOf(incomplete)).toBe('TT003')
  } finally {
    await other.query('rollback')
    other.release()
  }
})

describe('two bays', () => {
  beforeEach(() => addBay(shop, 'Bay 2'))

  it('accept two overlapping appointments, in the first bay and then in the second, and refuse a third', async () => {
    await book()
    expect(await isFree('14:00')).toBe(true)
    await book({ appointment_time: '14:00' })
    expect(await placed()).toEqual(['13:30 Bay 1', '14:00 Bay 2'])
    expect(await isFree('14:00')).toBe(false)
    expect(await outcomeOf(book({ appointment_time: '14:00' }))).toBe('23P01')
    expect(await isFree('15:00')).toBe(true)
    await book({ appointment_time: '15:00' })
    expect(await placed()).toEqual(['13:30 Bay 1', '14:00 Bay 2', '15:00 Bay 1'])
  })

  it('place a long appointment in the bay in which no other appointment begins before the long one ends', async () => {
    await book({ appointment_time: '15:00' }, alignmentId)
    await book({ appointment_time: '14:00' })
    expect(await placed()).toEqual(['14:00 Bay 2', '15:00 Bay 1'])
    await book({ appointment_time: '15:30' }, alignmentId)
    expect(await placed()).toEqual(['14:00 Bay 2', '15:00 Bay 1', '15:30 Bay 2'])
  })

  it('are both considered by is_time_slot_available when it is called with the three arguments that it had before bays existed', async () => {
    await book()
    const [row] = await shop.database.transaction(visitor, (query) =>
      query.unchecked<{ free: boolean }>(
        `select public.is_time_slot_available(
           service_duration => 90, booking_date => '2026-11-28', booking_time => '13:30') as free`,
      ),
    )
    expect(row?.free).toBe(true)
  })

  it('never contain two overlapping appointments in one bay after concurrent requests', async () => {
    const pool = openDatabase(shop.url, { maxConnections: 40 })
    const starts = ['12:00', '12:30', '13:00', '13:30', '14:00']
    await Promise.all(Array.from({ length: 40 }, () => pool.pool.query('select pg_sleep(0.05)')))
    const codes = await Promise.all(
      Array.from({ length: 120 }, (_, number) =>
        outcomeOf(
          pool.transaction(visitor, (query) =>
            insertRow(
              query,
              'bookings',
              bookingRow(number % 3 === 0 ? alignmentId : serviceId, {
                appointment_date: number % 2 === 0 ? '2026-11-28' : '2026-11-29',
                appointment_time: starts[(number * 7) % starts.length] ?? '13:30',
                customer_email: `crowd${number}@example.com`,
                customer_phone: `(650) 556-${String(number).padStart(4, '0')}`,
              }),
            ),
          ),
        ),
      ),
    )
    await pool.close()
    expect([...new Set(codes)].toSorted()).toEqual(['23P01', 'booked'])
    expect(codes.filter((code) => code === 'booked').length).toBeGreaterThanOrEqual(4)
    expect(await overlaps()).toBe(0)
  })

  it('accept as many bookings of one slot as there are bays', async () => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => outcomeOf(book())))
    expect(outcomes.filter((outcome) => outcome === 'booked')).toHaveLength(2)
    expect(new Set(outcomes)).toEqual(new Set(['booked', '23P01']))
    expect(await placed()).toEqual(['13:30 Bay 1', '13:30 Bay 2'])
  })

  it('let a reopened appointment use the other bay when its former bay is occupied', async () => {
    await book()
    await shop.owner.query(`update public.bookings set status = 'cancelled'`)
    await book({ customer_name: 'Robin' })
    const reopen = () =>
      shop.database.transaction(admin, (query) =>
        query.unchecked(
          `update public.bookings set status = 'confirmed' where status = 'cancelled'`,
        ),
      )
    await reopen()
    expect(await placed()).toEqual(['13:30 Bay 1', '13:30 Bay 2'])
    await shop.owner.query(
      `update public.bookings set status = 'cancelled' where customer_name = 'Robin'`,
    )
    await book({ customer_name: 'Third' })
    expect(await outcomeOf(reopen())).toBe('23P01')
  })

  it('can be booked at the time of an expired hold', async () => {
    await book()
    await shop.owner.query(`update public.bookings set status = 'no_show'`)
    await book()
    expect(await placed()).toEqual(['13:30 Bay 1'])
  })
})

describe('a bay that is limited to certain services', () => {
  beforeEach(async () => {
    const rack = await addBay(shop, 'Rack')
    await shop.owner.query('insert into public.bay_services values ($1, $2)', [rack, alignmentId])
  })

  it('accepts appointments for only these services', async () => {
    await book()
    expect(await isFree('13:30', serviceId)).toBe(false)
    expect(await outcomeOf(book())).toBe('23P01')
    expect(await isFree('13:30', alignmentId)).toBe(true)
    await book({}, alignmentId)
    expect(await placed()).toEqual(['13:30 Bay 1', '13:30 Rack'])
    expect(await isFree('13:30', alignmentId)).toBe(false)
  })

  it('gets an appointment before a bay that can do more, on the website, by phone and in the list of free times', async () => {
    // Bay 1 can do every service, Bay 2 can do two services, and the bay 'Rack' can do one.
    const two = await addBay(shop, 'Bay 2')
    await shop.owner.query('insert into public.bay_services values ($1, $2), ($1, $3)', [
      two,
      alignmentId,
      serviceId,
    ])
    const ranked = ['Rack', 'Bay 2', 'Bay 1']
    const byStaff = (sql: string, values: unknown[]) =>
      shop.database.transaction(admin, (query) => query.unchecked<{ bay: string }>(sql, values))
    const nameOf = (id: string) => `(select name from public.bays where id = ${id}) as bay`
    const latestBay = async () => {
      const latest = `select ${nameOf('bay_id')} from public.bookings order by created_at desc limit 1`
      return (await shop.owner.query<{ bay: string }>(latest)).rows
    }

    const [listed] = await shop.database.transaction(admin, (query) =>
      query.unchecked<{ bays: string[] }>(
        `select array(select name from unnest(bay_ids) with ordinality as free (id, nth)
                      join public.bays using (id) order by nth) as bays
         from public.next_free_times($1, '2026-11-28 13:30', max_rows => 1)`,
        [alignmentId],
      ),
    )
    expect(listed?.bays).toEqual(ranked)
    for (const bay of ranked) {
      const checked = await byStaff(
        `select ${nameOf('assigned_bay_id')} from public.check_booking_time($1, '2026-11-28', '13:30')`,
        [alignmentId],
      )
      expect(checked).toEqual([{ bay }])
      await book({}, alignmentId)
      expect(await latestBay()).toEqual([{ bay }])
    }
    for (const bay of ranked) {
      await byStaff(
        `select from public.book_by_phone(service_id => $1, appointment_date => '2026-11-28',
           appointment_time => '16:00', customer_name => 'Dana', customer_phone => $2)`,
        [alignmentId, `650-555-01${ranked.indexOf(bay)}0`],
      )
      expect(await latestBay()).toEqual([{ bay }])
    }
  })

  it('can be open on other days than the shop, and its services can be booked only on these days', async () => {
    await shop.owner.query(
      `insert into public.special_hours (starts_at, ends_at, bay_id, is_public)
       select '2026-11-28', '2026-11-29', id, true from public.bays where name = 'Bay 1'`,
    )
    const bays = async (service: string) =>
      shop.database.transaction(visitor, (query) =>
        query.unchecked(
          `select bays, closed_because from public.list_open_days('2026-11-28', '2026-11-28', $1)`,
          [service],
        ),
      )
    const open = [{ opensAtMinute: 510, closesAtMinute: 1260 }]
    expect(await bays(alignmentId)).toEqual([{ bays: [open], closed_because: null }])
    expect(await bays(serviceId)).toEqual([{ bays: [], closed_because: null }])
    expect(await isFree('13:30', serviceId)).toBe(false)
    expect(await isFree('13:30', alignmentId)).toBe(true)
    await shop.owner.query('delete from public.special_hours')
  })
})

describe('an appointment without a bay', () => {
  it('remains stored and occupies the time of no bay', async () => {
    await book()
    await shop.owner.query('update public.bookings set bay_id = null')
    expect(await isFree('13:30')).toBe(true)
    await book()
    expect(await placed()).toEqual(['13:30 Bay 1', '13:30 null'])
  })
})

describe('the permission to read bays', () => {
  it('belongs to the admin only', async () => {
    for (const table of ['bays', 'bay_services']) {
      const read = `select * from public.${table}`
      expect((await refusalTo(shop.database, visitor, (query) => query.unchecked(read))).code).toBe(
        '42501',
      )
      expect(
        await shop.database.transaction(signedInStranger, (query) => query.unchecked(read)),
      ).toEqual([])
    }
    expect(
      await shop.database.transaction(admin, (query) =>
        query.unchecked('select name from public.bays'),
      ),
    ).toEqual([{ name: 'Bay 1' }])
  })

  it('is not needed to book, and does not let a visitor choose a bay', async () => {
    const { rows } = await shop.owner.query<{ id: string }>('select id from public.bays')
    const refusal = await refusalTo(shop.database, visitor, (query) =>
      insertRow(query, 'bookings', bookingRow(serviceId, { bay_id: rows[0]?.id ?? null })),
    )
    expect(refusal.code).toBe('42501')
  })
})
