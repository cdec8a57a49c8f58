import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
} from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
let serviceId: string
let alignmentId: string
let bay1: string
let bay2: string
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, fixtureClock)
  serviceId = await addService(shop, 'Story, 90 minutes', 90)
  alignmentId = await addService(shop, 'Story, alignment', 60)
  const [first] = (await shop.owner.query<{ id: string }>('select id from public.bays')).rows
  bay1 = first?.id ?? ''
  bay2 = await addBay(shop, 'Bay 2')
  // Bay 2 can do only the service with the id `alignmentId`.
  await shop.owner.query('insert into public.bay_services values ($1, $2)', [bay2, alignmentId])
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await shop.owner.query(
    `${truncateTables('public.bookings')}; delete from internal.form_origins; delete from public.special_hours`,
  )
  await setShopClock(shop.owner, fixtureClock)
})

type Booking = {
  id: string
  version: number
  appointment_date: string
  appointment_time: string
  duration_minutes: number
  bay_id: string | null
  customer_email: string | null
  status: string
  conflict_accepted_by: string | null
}
type Values = Record<string, unknown>

const calling = (name: string, values: Values) => ({
  sql: `select * from public.${name}(${Object.keys(values)
    .map((key, index) => `${key} => $${index + 1}`)
    .join(', ')})`,
  values: Object.values(values),
})
const call = async <Row extends object = Booking>(name: string, values: Values): Promise<Row[]> => {
  const { sql, values: given } = calling(name, values)
  return shop.database.transaction(admin, (query) => query.unchecked<Row>(sql, given))
}
const one = async (name: string, values: Values): Promise<Booking> => {
  const [row] = await call(name, values)
  if (!row) throw new Error(`${name} returned nothing.`)
  return row
}
const refusalOf = (name: string, values: Values, identity = admin) => {
  const { sql, values: given } = calling(name, values)
  return refusalTo(shop.database, identity, (query) => query.unchecked(sql, given))
}
const detailOf = async (name: string, values: Values) => {
  const error: unknown = await call(name, values).catch((e: unknown) => e)
  return JSON.parse((error as { detail: string }).detail) as Values
}
/** Returns the arguments of a valid phone booking; dates and times are in shop time. */
const phoneBooking = (change: Values = {}): Values => ({
  service_id: serviceId,
  appointment_date: '2026-11-28',
  appointment_time: '13:30',
  customer_name: 'Sam Okafor',
  customer_phone: '(650) 555-0155',
  ...change,
})
const to = (booking: Booking, change: Values = {}): Values => ({
  booking_id: booking.id,
  seen_version: booking.version,
  appointment_date: '2026-11-28',
  appointment_time: '13:30',
  ...change,
})
const lastLine = async (id: string) => {
  const { rows } = await shop.owner.query<{ kind: string; reason: string; warnings: string[] }>(
    `select kind, reason, warnings from public.booking_events where booking_id = $1
     order by id desc limit 1`,
    [id],
  )
  return rows[0]
}

describe('a phone booking', () => {
  it('can be saved with only a name and a phone number of the customer', async () => {
    const booked = await one('book_by_phone', phoneBooking())
    expect(booked).toMatchObject({ customer_email: null, bay_id: bay1, duration_minutes: 90 })
    expect(await lastLine(booked.id)).toEqual({ kind: 'booked', reason: null, warnings: [] })
  })

  it('is found by the dashboard’s search', async () => {
    await one('book_by_phone', phoneBooking())
    expect(await call('find_bookings', { search: '555-0155' })).toHaveLength(1)
    expect(await call('find_bookings', { search: 'okafor' })).toHaveLength(1)
  })

  it('stores the email address, and stores null for a blank email address', async () => {
    expect(await one('book_by_phone', phoneBooking({ customer_email: ' ' }))).toMatchObject({
      customer_email: null,
    })
    const booked = await one(
      'book_by_phone',
      phoneBooking({ customer_email: 'sam@example.com', appointment_time: '16:00' }),
    )
    expect(booked.customer_email).toBe('sam@example.com')
  })

  it('is saved once when the same request is sent again', async () => {
    const id = randomUUID()
    const first = await one('book_by_phone', phoneBooking({ booking_id: id }))
    expect(await one('book_by_phone', phoneBooking({ booking_id: id }))).toEqual(first)
  })

  it('is accepted within the minimum notice, beyond the booking window, outside the hours and in the past, and its history records the reason', async () => {
    const warnings = async (change: Values) =>
      (await lastLine((await one('book_by_phone', phoneBooking(change))).id))?.warnings
    expect(await warnings({ appointment_date: '2026-11-20', appointment_time: '11:15' })).toEqual([
      'notice_required',
    ])
    expect(await warnings({ appointment_date: '2026-11-20', appointment_time: '09:00' })).toEqual([
      'in_the_past',
    ])
    expect(await warnings({ appointment_date: '2027-01-30' })).toEqual(['too_far_ahead'])
    expect(await warnings({ appointment_time: '20:15' })).toEqual(['outside_hours'])
  })

  it('is not listed as a schedule conflict when staff placed it outside the hours', async () => {
    const booked = await one('book_by_phone', phoneBooking({ appointment_time: '20:15' }))
    expect(booked.conflict_accepted_by).toBe('ana')
    expect((await shop.owner.query('select from public.schedule_conflicts')).rowCount).toBe(0)
  })

  it('is refused for a service that was switched off and for a customer name without letters', async () => {
    await shop.owner.query('update public.services set is_active = false where id = $1', [
      serviceId,
    ])
    expect((await refusalOf('book_by_phone', phoneBooking())).code).toBe('TT001')
    await shop.owner.query('update public.services set is_active = true where id = $1', [serviceId])
    expect((await refusalOf('book_by_phone', phoneBooking({ customer_name: ' ' }))).code).toBe(
      '23514',
    )
    expect(
      (await refusalOf('book_by_phone', phoneBooking({ appointment_time: '13:30:30' }))).code,
    ).toBe('22023')
  })

  it('is refused with a customer name of lookalike letters, even without an email address', async () => {
    const name = phoneBooking({ customer_name: 'Sam \u202eOkafor' })
    expect((await refusalOf('book_by_phone', name)).code).toBe('23514')
  })
})

describe('a service that was switched off after a booking', () => {
  it('keeps its bookings, which can be moved and keep the name and the duration of the service', async () => {
    const booked = await one('book_by_phone', phoneBooking())
    const switchTo = (isActive: boolean) =>
      shop.owner.query('update public.services set is_active = $2 where id = $1', [
        serviceId,
        isActive,
      ])
    await switchTo(false)
    const [check] = await call<Values>('check_booking_time', {
      service_id: serviceId,
      appointment_date: '2026-11-28',
      appointment_time: '15:00',
      ignored_booking_id: booked.id,
    })
    const moved = await one('move_booking', to(booked, { appointment_time: '15:00' }))
    await switchTo(true)
    expect(check).toMatchObject({ refusal: null, assigned_bay_id: bay1 })
    expect(moved).toMatchObject({
      appointment_time: '15:00:00',
      duration_minutes: 90,
      bay_id: bay1,
    })
  })
})

describe('a taken time', () => {
  it('is refused with the ids of the conflicting bookings and the next three free times', async () => {
    const first = await one('book_by_phone', phoneBooking())
    expect(await refusalOf('book_by_phone', phoneBooking({ appointment_time: '14:15' }))).toEqual({
      code: '23P01',
      hint: 'slot_taken',
      message: 'This time is taken.',
    })
    expect(await detailOf('book_by_phone', phoneBooking({ appointment_time: '14:15' }))).toEqual({
      in_the_way: [first.id],
      free_times: [
        { date: '2026-11-28', time: '15:00', bay_ids: [bay1] },
        { date: '2026-11-28', time: '15:30', bay_ids: [bay1] },
        { date: '2026-11-28', time: '16:00', bay_ids: [bay1] },
      ],
    })
  })

  it('can be booked without a bay when staff give a reason', async () => {
    await one('book_by_phone', phoneBooking())
    const anyway = phoneBooking({ without_bay: true })
    expect(await refusalOf('book_by_phone', anyway)).toMatchObject({
      code: 'TT066',
      hint: 'reason_required',
    })
    const booked = await one('book_by_phone', { ...anyway, reason: 'A tow truck brings it' })
    expect(booked.bay_id).toBeNull()
    expect(await lastLine(booked.id)).toMatchObject({ reason: 'A tow truck brings it' })
    const { rows } = await shop.owner.query(
      'select booking_id, problem from public.schedule_conflicts',
    )
    expect(rows).toEqual([{ booking_id: booked.id, problem: 'no_bay' }])
  })

  it('is refused in the bay that staff chose, even when another bay is free', async () => {
    const alignment = phoneBooking({ service_id: alignmentId })
    await one('book_by_phone', { ...alignment, bay_id: bay1 })
    expect((await refusalOf('book_by_phone', { ...alignment, bay_id: bay1 })).code).toBe('23P01')
    expect((await one('book_by_phone', alignment)).bay_id).toBe(bay2)
  })

  it('becomes free when the hold of its booking expires', async () => {
    await shop.database.transaction({ role: 'anon' }, (query) =>
      insertRow(query, 'bookings', bookingRow(serviceId)),
    )
    await setShopClock(shop.owner, '2026-11-20T19:00:00Z')
    expect((await one('book_by_phone', phoneBooking())).bay_id).toBe(bay1)
  })
})

describe('a bay', () => {
  it('that cannot do the service is never assigned to a booking, and staff cannot choose it', async () => {
    expect(await refusalOf('book_by_phone', phoneBooking({ bay_id: bay2 }))).toMatchObject({
      code: 'TT064',
      hint: 'bay_cannot_do_service',
    })
    await one('book_by_phone', phoneBooking())
    expect((await refusalOf('book_by_phone', phoneBooking())).code).toBe('23P01')
  })

  it('that is switched off cannot be chosen by staff for a booking', async () => {
    await shop.owner.query('update public.bays set is_active = false where id = $1', [bay1])
    const refusal = await refusalOf('book_by_phone', phoneBooking({ bay_id: bay1 }))
    await shop.owner.query('update public.bays set is_active = true where id = $1', [bay1])
    expect(refusal).toMatchObject({ code: 'TT065', hint: 'bay_not_active' })
  })
})

describe('moving an appointment', () => {
  it('changes date, time, bay and duration in one step, and undoing it restores all four', async () => {
    const booked = await one('book_by_phone', phoneBooking({ service_id: alignmentId }))
    const change = {
      appointment_date: '2026-11-29',
      appointment_time: '10:15',
      bay_id: bay2,
      minutes: 75,
      reason: 'The caller asked for it',
    }
    const moved = await one('move_booking', to(booked, change))
    expect(moved).toMatchObject({ bay_id: bay2, duration_minutes: 75, version: 2 })
    expect(await lastLine(booked.id)).toMatchObject({
      kind: 'moved',
      reason: 'The caller asked for it',
    })
    const back = await one('move_booking', to(moved, { bay_id: bay1, minutes: 60 }))
    expect(back).toMatchObject({ bay_id: bay1, appointment_time: '13:30:00', version: 3 })
  })

  it('adds a history entry that states whether the appointment was moved, placed, extended or shortened', async () => {
    const booked = await one(
      'book_by_phone',
      phoneBooking({ service_id: alignmentId, bay_id: bay1 }),
    )
    const steps: [Values, string][] = [
      [{ bay_id: bay2 }, 'moved'],
      [{ without_bay: true }, 'moved'],
      [{}, 'placed'],
      [{ minutes: 90 }, 'extended'],
      [{ minutes: 45 }, 'shortened'],
    ]
    let current = booked
    for (const [change, kind] of steps) {
      current = await one('move_booking', to(current, change))
      expect((await lastLine(booked.id))?.kind).toBe(kind)
    }
  })

  it('to the time and bay that it already has adds no history entry', async () => {
    const booked = await one('book_by_phone', phoneBooking())
    expect((await one('move_booking', to(booked))).version).toBe(1)
    expect((await lastLine(booked.id))?.kind).toBe('booked')
  })

  it('keeps the bay when it is free, even when the new time overlaps the old time', async () => {
    const booked = await one(
      'book_by_phone',
      phoneBooking({ service_id: alignmentId, bay_id: bay2 }),
    )
    const moved = await one('move_booking', to(booked, { appointment_time: '14:00' }))
    expect(moved.bay_id).toBe(bay2)
  })

  it('to the evening keeps the vehicle in its bay overnight, and the next morning is then occupied', async () => {
    const booked = await one('book_by_phone', phoneBooking({ appointment_time: '19:00' }))
    const until = (hours: number) =>
      to(booked, { appointment_time: '19:00', minutes: hours * 60, reason: 'Waits for parts' })
    await one('move_booking', until(16))
    expect((await lastLine(booked.id))?.warnings).toEqual(['overnight'])
    const morning = phoneBooking({ appointment_date: '2026-11-29', appointment_time: '10:30' })
    expect((await refusalOf('book_by_phone', morning)).code).toBe('23P01')
    const row = bookingRow(serviceId, {
      appointment_date: '2026-11-29',
      appointment_time: '09:30:00',
    })
    await expect(
      shop.database.transaction(visitor, (query) => insertRow(query, 'bookings', row)),
    ).rejects.toMatchObject({ code: '23P01' })
    expect((await shop.owner.query('select from public.schedule_conflicts')).rowCount).toBe(0)
  })

  it('is refused when staff saw an outdated version of the appointment', async () => {
    const booked = await one('book_by_phone', phoneBooking())
    await one('move_booking', to(booked, { appointment_time: '15:00' }))
    expect(
      await refusalOf('move_booking', to(booked, { appointment_time: '17:00' })),
    ).toMatchObject({ code: 'TT051', hint: 'version_conflict' })
  })

  it('cannot reopen a completed or cancelled booking', async () => {
    const booked = await one('book_by_phone', phoneBooking())
    await call('cancel_bookings', { booking_ids: [booked.id] })
    expect(
      await refusalOf('move_booking', to({ ...booked, version: 2 }, { appointment_time: '17:00' })),
    ).toMatchObject({ code: 'TT067', hint: 'not_open' })
  })

  it('to a taken time is refused and leaves the booking unchanged', async () => {
    const first = await one('book_by_phone', phoneBooking())
    const second = await one('book_by_phone', phoneBooking({ appointment_time: '16:00' }))
    expect(await detailOf('move_booking', to(second, { appointment_time: '14:00' }))).toMatchObject(
      { in_the_way: [first.id] },
    )
    const { rows } = await shop.owner.query<{ time: string }>(
      `select to_char(appointment_time, 'HH24:MI') as time from public.bookings where id = $1`,
      [second.id],
    )
    expect(rows).toEqual([{ time: '16:00' }])
  })

  it('keeps the wall-clock time when daylight-saving time begins on the new date', async () => {
    const booked = await one('book_by_phone', phoneBooking({ appointment_date: '2027-03-13' }))
    const moved = await one('move_booking', to(booked, { appointment_date: '2027-03-14' }))
    expect(moved).toMatchObject({
      appointment_date: '2027-03-14',
      appointment_time: '13:30:00',
      duration_minutes: 90,
    })
  })
})

describe('the free times that staff can choose', () => {
  it('begin at the first free quarter of an hour and continue every half hour, within the hours and between bookings', async () => {
    await one('book_by_phone', phoneBooking({ appointment_time: '09:00', minutes: 105 }))
    const times = await call<{ free_time: string }>('next_free_times', {
      service_id: serviceId,
      from_moment: '2026-11-28',
      max_rows: 3,
    })
    expect(times.map(({ free_time }) => free_time)).toEqual(['10:45:00', '11:00:00', '11:30:00'])
  })

  it('are those of both bays when both can do the service, the specialized bay first, and continue on the next day', async () => {
    const times = await call<{ free_date: string; free_time: string; bay_ids: string[] }>(
      'next_free_times',
      { service_id: alignmentId, from_moment: '2026-11-28 19:45', max_rows: 3 },
    )
    expect(times).toEqual([
      { free_date: '2026-11-28', free_time: '19:45:00', bay_ids: [bay2, bay1] },
      { free_date: '2026-11-28', free_time: '20:00:00', bay_ids: [bay2, bay1] },
      { free_date: '2026-11-29', free_time: '08:30:00', bay_ids: [bay2, bay1] },
    ])
  })

  it('are never in the past or in a closure', async () => {
    await shop.owner.query(
      `insert into public.special_hours (starts_at, ends_at) values ('2026-11-20 10:00', '2026-11-20 12:00')`,
    )
    const [first] = await call<{ free_time: string }>('next_free_times', {
      service_id: serviceId,
      from_moment: '2026-11-19',
      max_rows: 1,
    })
    expect(first?.free_time).toBe('12:00:00')
  })

  it('are limited to a maximum number, even when a request asks for more', async () => {
    for (const change of [{ max_rows: 501 }, { days: 63 }, { minutes: 20_161 }]) {
      expect((await refusalOf('next_free_times', { service_id: serviceId, ...change })).code).toBe(
        '22023',
      )
    }
  })
})

describe('the check of a time before staff book it', () => {
  const check = async (change: Values = {}) => {
    const [result] = await call<Values>('check_booking_time', {
      service_id: serviceId,
      appointment_date: '2026-11-28',
      appointment_time: '13:30',
      ...change,
    })
    return result
  }

  it('returns the warnings and the bay that the booking would get', async () => {
    expect(await check({ appointment_time: '20:15' })).toEqual({
      assigned_bay_id: bay1,
      warnings: ['outside_hours'],
      refusal: null,
      in_the_way: [],
      free_times: [],
    })
  })

  it('warns that the vehicle would stay overnight, and warns about closing time only if the work is short enough for one day', async () => {
    const until = async (minutes: number) =>
      (await check({ appointment_time: '19:00', minutes }))?.['warnings']
    expect(await until(6 * 60)).toEqual(['overnight', 'outside_hours'])
    expect(await until(16 * 60)).toEqual(['overnight'])
  })

  it('returns the same conflicting bookings as the refusal of the booking', async () => {
    const booked = await one('book_by_phone', phoneBooking())
    expect(await check({ appointment_time: '14:00' })).toMatchObject({
      assigned_bay_id: null,
      refusal: 'slot_taken',
      in_the_way: [booked.id],
    })
    expect(await check({ bay_id: bay2 })).toMatchObject({
      refusal: 'bay_cannot_do_service',
      in_the_way: [],
    })
    expect(await check({ appointment_time: '14:00', ignored_booking_id: booked.id })).toMatchObject(
      {
        assigned_bay_id: bay1,
        refusal: null,
      },
    )
  })
})

describe('the permission to book by phone and to move bookings', () => {
  it('belongs to the admin only', async () => {
    const booked = await one('book_by_phone', phoneBooking())
    const calls: [string, Values][] = [
      ['book_by_phone', phoneBooking()],
      ['move_booking', to(booked, { appointment_time: '17:00' })],
      ['next_free_times', { service_id: serviceId }],
      [
        'check_booking_time',
        { service_id: serviceId, appointment_date: '2026-11-28', appointment_time: '13:30' },
      ],
    ]
    for (const identity of [visitor, signedInStranger]) {
      for (const [name, values] of calls) {
        expect((await refusalOf(name, values, identity)).code).toBe('42501')
      }
    }
  })

  it('does not allow a direct insert without an email address, neither to a visitor nor to the admin', async () => {
    const row = bookingRow(serviceId, { customer_email: null })
    for (const identity of [visitor, admin]) {
      const refusal = await refusalTo(shop.database, identity, (query) =>
        insertRow(query, 'bookings', row),
      )
      expect(refusal).toMatchObject({ code: '23502', hint: 'email_required' })
    }
  })
})
