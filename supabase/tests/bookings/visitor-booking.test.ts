import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import {
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
let longServiceId: string
let retiredServiceId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  serviceId = await addService(shop, 'Story, 90 minutes', 90)
  longServiceId = await addService(shop, 'Story, 120 minutes', 120)
  retiredServiceId = await addService(shop, 'Story, retired', 90)
  await shop.owner.query('update public.services set is_active = false where id = $1', [
    retiredServiceId,
  ])
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await shop.owner.query(truncateTables('public.bookings'))
  await setShopClock(shop.owner, fixtureClock)
})

const book = (change: BookingRow = {}, service = serviceId) =>
  shop.database.transaction(visitor, (query) =>
    insertRow(query, 'bookings', bookingRow(service, change)),
  )
const refusalOf = (change: BookingRow, service = serviceId) =>
  refusalTo(shop.database, visitor, (query) =>
    insertRow(query, 'bookings', bookingRow(service, change)),
  )
const isAvailable = async (time: string, minutes = 90, date = '2026-11-28') => {
  const [row] = await shop.database.transaction(visitor, (query) =>
    query.unchecked<{ free: boolean }>('select public.is_time_slot_available($1, $2, $3) as free', [
      minutes,
      date,
      time,
    ]),
  )
  return row?.free
}
const countBookings = async () => {
  const { rows } = await shop.owner.query<{ count: number }>(
    'select count(*)::int as count from public.bookings',
  )
  return rows[0]?.count
}

describe('a visitor', () => {
  it('can book a free time, and the row stores the duration of the service', async () => {
    await book()
    const { rows } = await shop.owner.query(
      `select appointment_date::text, appointment_time::text, duration_minutes, status, completed_at,
              occupied::text from public.bookings`,
    )
    expect(rows).toEqual([
      {
        appointment_date: '2026-11-28',
        appointment_time: '13:30:00',
        duration_minutes: 90,
        status: 'confirmed',
        completed_at: null,
        occupied: '["2026-11-28 13:30:00","2026-11-28 15:00:00")',
      },
    ])
  })

  it('keeps the booked duration when the duration of the service changes later', async () => {
    await book()
    await shop.owner.query('update public.services set duration_minutes = 30 where id = $1', [
      serviceId,
    ])
    const { rows } = await shop.owner.query('select duration_minutes from public.bookings')
    await shop.owner.query('update public.services set duration_minutes = 90 where id = $1', [
      serviceId,
    ])
    expect(rows).toEqual([{ duration_minutes: 90 }])
  })

  it.each<[string, BookingRow, string, string]>([
    ['on a date in the past', { appointment_date: '2026-11-19' }, 'TT011', 'in_the_past'],
    [
      'at an earlier time of today',
      { appointment_date: '2026-11-20', appointment_time: '09:30' },
      'TT011',
      'in_the_past',
    ],
    [
      'less than the minimum notice ahead',
      { appointment_date: '2026-11-20', appointment_time: '11:30' },
      'TT012',
      'notice_required',
    ],
    ['31 days after today', { appointment_date: '2026-12-21' }, 'TT013', 'too_far_ahead'],
    [
      'before the shop opens',
      { appointment_date: '2026-11-23', appointment_time: '10:30' },
      'TT014',
      'outside_hours',
    ],
    [
      'so late that the appointment ends after closing',
      { appointment_time: '20:00' },
      'TT014',
      'outside_hours',
    ],
    ['at a time between two slots', { appointment_time: '13:45' }, 'TT015', 'off_the_grid'],
    ['with seconds', { appointment_time: '13:30:30' }, 'TT015', 'off_the_grid'],
    ['as pending', { status: 'pending' }, 'TT002', 'status_not_confirmed'],
    ['as completed', { status: 'completed' }, 'TT002', 'status_not_confirmed'],
    [
      'with the status cancelled, which would occupy no bay',
      { status: 'cancelled' },
      'TT002',
      'status_not_confirmed',
    ],
    ['without a year', { vehicle_year: null }, 'TT003', 'vehicle_required'],
    ['with a blank model', { vehicle_model: '  ' }, 'TT003', 'vehicle_required'],
  ])('cannot book %s', async (_, change, code, hint) => {
    expect(await refusalOf(change)).toMatchObject({ code, hint })
    expect(await countBookings()).toBe(0)
  })

  it('cannot book a service that is inactive or does not exist', async () => {
    const unknownId = '00000000-0000-4000-8000-00000000ffff'
    const unavailable = { code: 'TT001', hint: 'service_unavailable' }
    expect(await refusalOf({}, retiredServiceId)).toMatchObject(unavailable)
    expect(await refusalOf({}, unknownId)).toMatchObject(unavailable)
  })

  it.each<[string, BookingRow]>([
    ['a name of 201 characters', { customer_name: 'x'.repeat(201) }],
    ['a blank name', { customer_name: '   ' }],
    ['a line break in the name', { customer_name: 'Dana\r\nBcc: all@example.com' }],
    ['an address without @', { customer_email: 'dana' }],
    ['an address of 255 characters', { customer_email: `${'x'.repeat(250)}@x.io` }],
    ['a line break in the address', { customer_email: 'dana@example.com\nx' }],
    ['a blank phone number', { customer_phone: ' ' }],
    ['a phone number of 41 characters', { customer_phone: '1'.repeat(41) }],
    ['notes of 2001 characters', { notes: 'x'.repeat(2001) }],
    ['a megabyte of notes', { notes: 'x'.repeat(1_000_000) }],
    ['a year of 21 characters', { vehicle_year: '1'.repeat(21) }],
    ['a make of 61 characters', { vehicle_make: 'x'.repeat(61) }],
    ['a color of 41 characters', { vehicle_color: 'x'.repeat(41) }],
  ])('cannot book with %s', async (_, change) => {
    expect((await refusalOf(change)).code).toBe('23514')
    expect(await countBookings()).toBe(0)
  })

  it.each([
    'id',
    'duration_minutes',
    'completed_at',
    'completed_by',
    'flagged_reasons',
    'created_at',
  ])('cannot set the column %s', async (column) => {
    const values: Record<string, string> = {
      id: '00000000-0000-4000-8000-000000000009',
      duration_minutes: '5',
      completed_at: fixtureClock,
      completed_by: 'admin',
      flagged_reasons: '{}',
      created_at: fixtureClock,
    }
    expect((await refusalOf({ [column]: values[column] ?? null })).code).toBe('42501')
  })

  it.each([
    [null, 'TT014'],
    ['', '22007'],
    ['2026-02-29', '22008'],
    ['tomorrow or so', '22007'],
  ])('cannot book on the date %j', async (date, code) => {
    expect((await refusalOf({ appointment_date: date })).code).toBe(code)
    expect(await countBookings()).toBe(0)
  })

  it('can book exactly at the minimum notice, 30 days ahead, and up to closing time', async () => {
    await book({ appointment_date: '2026-11-20', appointment_time: '12:00' })
    await book({ appointment_date: '2026-12-20' })
    await book({ appointment_time: '19:30' })
    expect(await countBookings()).toBe(3)
  })

  it('cannot read, change or delete any booking, even their own', async () => {
    await book()
    for (const sql of [
      'select id from public.bookings',
      'select count(*) from public.bookings',
      `update public.bookings set status = 'cancelled'`,
      'delete from public.bookings',
      'truncate public.bookings',
    ]) {
      const { code } = await refusalTo(shop.database, visitor, (query) => query.unchecked(sql))
      expect({ sql, code }).toEqual({ sql, code: '42501' })
    }
  })

  it('gets no row in the response to the insert', async () => {
    const { code } = await refusalTo(shop.database, visitor, (query) =>
      query.unchecked(`insert into public.bookings (service_id) values ($1) returning id`, [
        serviceId,
      ]),
    )
    expect(code).toBe('42501')
  })
})

describe('a taken time', () => {
  it('is refused with the error of the exclusion constraint, without the name of the customer who booked it', async () => {
    await book()
    const refusal = await refusalOf({ customer_name: 'Robin', customer_email: 'robin@example.com' })
    expect(refusal.code).toBe('23P01')
    expect(JSON.stringify(refusal)).not.toContain('dana')
  })

  it.each([
    ['12:00', 90, true],
    ['12:30', 90, false],
    ['13:00', 90, false],
    ['13:30', 30, false],
    ['14:30', 30, false],
    ['15:00', 90, true],
    ['11:30', 120, true],
    ['12:00', 120, false],
  ])(
    'allows an appointment that starts at %s and takes %i minutes: %s',
    async (time, minutes, free) => {
      await book()
      expect(await isAvailable(time, minutes)).toBe(free)
    },
  )

  it('does not overlap an appointment that ends at its start or begins at its end', async () => {
    await book()
    await book({ appointment_time: '12:00' })
    await book({ appointment_time: '15:00' })
    expect(await countBookings()).toBe(3)
    expect((await refusalOf({ appointment_time: '11:30' }, longServiceId)).code).toBe('23P01')
  })

  it('becomes free when its booking is cancelled', async () => {
    await book()
    await shop.owner.query(`update public.bookings set status = 'cancelled'`)
    expect(await isAvailable('13:30')).toBe(true)
    await book()
  })
})

describe('is_time_slot_available', () => {
  it('returns false for every time that the rules refuse', async () => {
    const results = [
      await isAvailable('13:45'),
      await isAvailable('08:00'),
      await isAvailable('20:00'),
      await isAvailable('13:30', 90, '2026-11-19'),
      await isAvailable('13:30', 90, '2026-12-21'),
      await isAvailable('11:30', 90, '2026-11-20'),
    ]
    expect(results).toEqual([false, false, false, false, false, false])
  })

  it.each([
    [null, '2026-11-28', '13:30'],
    [1_000_000_000, '2026-11-28', '13:30'],
    [0, '2026-11-28', '13:30'],
    [-90, '2026-11-28', '13:30'],
    [90, null, '13:30'],
    [90, '2026-11-28', null],
  ])('refuses the invalid arguments %s, %s, %s', async (minutes, date, time) => {
    const { code } = await refusalTo(shop.database, visitor, (query) =>
      query.unchecked('select public.is_time_slot_available($1, $2, $3)', [minutes, date, time]),
    )
    expect(code).toBe('22023')
  })
})

describe('a booking on a day with a daylight-saving change', () => {
  it.each([
    [
      'the beginning of daylight-saving time',
      '2026-03-07T18:00:00Z',
      '2026-03-08',
      '["2026-03-08 08:30:00","2026-03-08 10:00:00")',
    ],
    [
      'the end of daylight-saving time',
      '2026-10-31T18:00:00Z',
      '2026-11-01',
      '["2026-11-01 08:30:00","2026-11-01 10:00:00")',
    ],
  ])('keeps the wall-clock time at %s', async (_, now, date, occupied) => {
    await setShopClock(shop.owner, now)
    await book({ appointment_date: date, appointment_time: '08:30' })
    const { rows } = await shop.owner.query('select occupied::text from public.bookings')
    expect(rows).toEqual([{ occupied }])
  })
})

describe('a signed-in user who is not the admin', () => {
  it('can book under the same rules as a visitor', async () => {
    await shop.database.transaction(signedInStranger, (query) =>
      insertRow(query, 'bookings', bookingRow(serviceId)),
    )
    const late = bookingRow(serviceId, { appointment_date: '2026-12-21' })
    const { code } = await refusalTo(shop.database, signedInStranger, (query) =>
      insertRow(query, 'bookings', late),
    )
    expect(code).toBe('TT013')
  })

  it('cannot read, change or delete bookings', async () => {
    await book()
    const touched = await shop.database.transaction(signedInStranger, async (query) => [
      ...(await query.unchecked('select id from public.bookings')),
      ...(await query.unchecked(`update public.bookings set status = 'cancelled' returning id`)),
    ])
    expect(touched).toEqual([])
    const { code } = await refusalTo(shop.database, signedInStranger, (query) =>
      query.unchecked('delete from public.bookings'),
    )
    expect(code).toBe('42501')
    expect(await countBookings()).toBe(1)
  })
})

describe('the admin', () => {
  const change = (sql: string) => shop.database.transaction(admin, (query) => query.unchecked(sql))
  const complete = `update public.bookings set completed_at = now(), completed_by = 'admin' returning id`

  it('can complete a booking and undo the completion', async () => {
    await book()
    expect(await change(complete)).toHaveLength(1)
    await change('update public.bookings set completed_at = null, completed_by = null')
    const { rows } = await shop.owner.query(
      'select completed_at, completed_by from public.bookings',
    )
    expect(rows).toEqual([{ completed_at: null, completed_by: null }])
  })

  it('cannot complete a booking without naming an employee', async () => {
    await book()
    const { code } = await refusalTo(shop.database, admin, (query) =>
      query.unchecked('update public.bookings set completed_at = now()'),
    )
    expect(code).toBe('23514')
  })

  it('can delete a completed booking, but no other booking', async () => {
    await book()
    const refusal = await refusalTo(shop.database, admin, (query) =>
      query.unchecked('delete from public.bookings'),
    )
    expect(refusal).toMatchObject({
      code: 'TT021',
      hint: 'not_completed',
      message: 'Only completed appointments can be deleted.',
    })
    await change(complete)
    await change('delete from public.bookings')
    expect(await countBookings()).toBe(0)
  })

  it('can find a booking by parts of the name or the phone number; special characters in the search text match only themselves', async () => {
    await book({ customer_name: 'Dana Whitfield', customer_phone: '(650) 555-0134' })
    const found = async (search: string) =>
      (
        await shop.database.transaction(admin, (query) =>
          query.unchecked('select id from public.find_bookings($1)', [search]),
        )
      ).length
    expect(await found('whitf DANA')).toBe(1)
    expect(await found('650.555.0134')).toBe(1)
    expect(await found('dana nobody')).toBe(0)
    expect(await found('%_%')).toBe(0)
    expect(await found('dana\\')).toBe(0)
    expect(await found(' ')).toBe(1)
  })

  it('cannot reopen a cancelled booking whose time is taken, and the refused request changes nothing', async () => {
    await book()
    await change(`update public.bookings set status = 'cancelled'`)
    await book({ customer_name: 'Robin' })
    const { code } = await refusalTo(shop.database, admin, (query) =>
      query.unchecked(
        `update public.bookings set status = 'confirmed', completed_at = null
         where status = 'cancelled'`,
      ),
    )
    expect(code).toBe('23P01')
    const { rows } = await shop.owner.query(
      'select customer_name, status from public.bookings order by created_at',
    )
    expect(rows).toEqual([
      { customer_name: 'Dana Whitfield', status: 'cancelled' },
      { customer_name: 'Robin', status: 'confirmed' },
    ])
  })

  it('can reopen a cancelled booking whose time is still free', async () => {
    await book()
    await change(`update public.bookings set status = 'cancelled'`)
    await change(`update public.bookings set status = 'confirmed'`)
    expect(await isAvailable('13:30')).toBe(false)
  })

  it('cannot overwrite the customer, the service or the time of a booking', async () => {
    await book()
    for (const column of ['customer_email', 'appointment_date', 'duration_minutes', 'service_id']) {
      const { code } = await refusalTo(shop.database, admin, (query) =>
        query.unchecked(`update public.bookings set ${column} = ${column}`),
      )
      expect({ column, code }).toEqual({ column, code: '42501' })
    }
  })
})
