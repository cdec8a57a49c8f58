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
} from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
let serviceId: string
let week: object[]
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, fixtureClock)
  serviceId = await addService(shop, 'Story, 90 minutes', 90)
  week = await asAdmin('select * from public.opening_hours order by weekday')
})
afterAll(() => shop.drop())
beforeEach(() =>
  shop.owner.query(
    `${truncateTables('public.bookings')}; delete from internal.form_origins; delete from public.special_hours;
     delete from public.bays where name <> 'Bay 1'`,
  ),
)

const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked<Row>(sql, values))
const refusalOf = (sql: string, values: unknown[] = []) =>
  refusalTo(shop.database, admin, (query) => query.unchecked(sql, values))
const versionOf = async (section: string) => {
  const [row] = await asAdmin<{ version: number }>(
    'select version from public.settings_versions where section = $1',
    [section],
  )
  return row?.version ?? -1
}
let customerCount = 0
const book = (date: string, time: string) => {
  customerCount += 1
  const row = bookingRow(serviceId, {
    appointment_date: date,
    appointment_time: time,
    customer_name: `${date} ${time}`,
    customer_email: `person${customerCount}@example.com`,
    customer_phone: `(650) 555-${String(customerCount).padStart(4, '0')}`,
  })
  return shop.database.transaction(visitor, (query) => insertRow(query, 'bookings', row))
}
type ScheduleConflict = { customer_name: string; problem: string }
const named = (scheduleConflicts: ScheduleConflict[]) =>
  scheduleConflicts.map(({ customer_name, problem }) => `${customer_name} ${problem}`).toSorted()
const scheduleConflicts = async () =>
  named(await asAdmin<ScheduleConflict>('select * from public.schedule_conflicts'))
const saveHours = async (hours: object[], isPreview = false) =>
  named(
    await asAdmin<ScheduleConflict>('select * from public.save_opening_hours($1, $2, $3)', [
      JSON.stringify(hours),
      await versionOf('hours'),
      isPreview,
    ]),
  )
const close = async (from: string, to: string, isPreview = false, id: string | null = null) =>
  named(
    await asAdmin<ScheduleConflict>(
      `select * from public.save_special_hours($1, $2, $3, false, null, 'Away', true, $4, $5)`,
      [id, from, to, await versionOf('closures'), isPreview],
    ),
  )
const withoutSaturday = () => week.slice(0, 6)

describe('a change of the weekly hours', () => {
  it('in a preview lists the appointments that would be outside the hours, and changes nothing', async () => {
    await book('2026-11-28', '13:30')
    await book('2026-11-27', '13:30')
    const lines = await asAdmin('select id from public.settings_history')
    expect(await saveHours(withoutSaturday(), true)).toEqual(['2026-11-28 13:30 outside_hours'])
    expect(await asAdmin('select * from public.opening_hours order by weekday')).toEqual(week)
    expect(await asAdmin('select id from public.settings_history')).toEqual(lines)
    expect(await scheduleConflicts()).toEqual([])
  })

  it('causes schedule conflicts for the appointments outside the new hours until staff accept or cancel them', async () => {
    await book('2026-11-28', '13:30')
    await book('2026-11-28', '16:00')
    expect(await saveHours(withoutSaturday())).toHaveLength(2)
    expect(await scheduleConflicts()).toHaveLength(2)
    const [first] = await asAdmin<{ booking_id: string }>(
      'select booking_id from public.schedule_conflicts order by appointment_time',
    )
    const acceptSql = `select public.accept_schedule_conflicts($1) as id`
    expect(await asAdmin(acceptSql, [[first?.booking_id]])).toEqual([{ id: first?.booking_id }])
    expect(await asAdmin(acceptSql, [[first?.booking_id]])).toEqual([])
    expect(await scheduleConflicts()).toEqual(['2026-11-28 16:00 outside_hours'])
    expect(
      await asAdmin(
        'select conflict_accepted_by from public.bookings where conflict_accepted_at is not null',
      ),
    ).toEqual([{ conflict_accepted_by: 'ana' }])
    await asAdmin(
      `update public.bookings set status = 'cancelled' where conflict_accepted_at is null`,
    )
    expect(await scheduleConflicts()).toEqual([])
    await saveHours(week)
  })

  it.each([
    [[{ weekday: 1, opens_minute: 600, closes_minute: 600 }], '23514'],
    [[{ weekday: 1, opens_minute: 1_000_000, closes_minute: 600 }], '22003'],
    [[{ weekday: 1, opens_minute: -1, closes_minute: 600 }], '23514'],
    [[{ weekday: 7, opens_minute: 0, closes_minute: 600 }], '23514'],
    [[{ weekday: 1, opens_minute: 0 }], '23502'],
    [
      [
        { weekday: 1, opens_minute: 0, closes_minute: 600 },
        { weekday: 1, opens_minute: 0, closes_minute: 700 },
      ],
      '21000',
    ],
    [{ weekday: 1 }, '22023'],
  ])('is refused for the invalid hours %j', async (hours, code) => {
    const refusal = await refusalOf('select * from public.save_opening_hours($1, $2)', [
      JSON.stringify(hours),
      await versionOf('hours'),
    ])
    expect(refusal.code).toBe(code)
    expect(await asAdmin('select * from public.opening_hours order by weekday')).toEqual(week)
  })

  it('is refused with the name of the constraint when closing is before opening', async () => {
    const hours = [{ weekday: 1, opens_minute: 700, closes_minute: 600 }]
    const refusal = await refusalOf('select * from public.save_opening_hours($1, $2)', [
      JSON.stringify(hours),
      await versionOf('hours'),
    ])
    expect(refusal.message).toContain('"opening_hours_close_after_opening"')
  })
})

describe('a closure', () => {
  it('returns the list of conflicting appointments when it is created or changed', async () => {
    await book('2026-11-28', '13:30')
    await book('2026-11-29', '13:30')
    expect(await close('2026-11-28', '2026-11-29', true)).toEqual([
      '2026-11-28 13:30 outside_hours',
    ])
    expect(await asAdmin('select id from public.special_hours')).toEqual([])
    expect(await close('2026-11-28', '2026-11-29')).toEqual(['2026-11-28 13:30 outside_hours'])
    const [row] = await asAdmin<{ id: string }>('select id from public.special_hours')
    expect(await close('2026-11-28', '2026-11-30', true, row?.id ?? null)).toHaveLength(2)
    expect(
      await asAdmin('select * from public.remove_special_hours($1, $2, true)', [
        row?.id,
        await versionOf('closures'),
      ]),
    ).toEqual([])
    expect(await scheduleConflicts()).toHaveLength(1)
    await asAdmin('select * from public.remove_special_hours($1, $2)', [
      row?.id,
      await versionOf('closures'),
    ])
    expect(await scheduleConflicts()).toEqual([])
  })

  it('is refused with the name of the constraint if it is invalid, even in a preview', async () => {
    const refusal = await refusalOf(
      `select * from public.save_special_hours(null, '2026-11-29', '2026-11-28', false, null, '', true, $1, true)`,
      [await versionOf('closures')],
    )
    expect(refusal.message).toContain('"special_hours_end_after_start"')
  })
})

describe('a bay', () => {
  const saveBay = async (name: string, isActive: boolean, isPreview = false) => {
    const [bay] = await asAdmin<{ id: string }>('select id from public.bays where name = $1', [
      name,
    ])
    const rows = await asAdmin<{ customer_name: string; new_bay_name: string | null }>(
      `select * from public.save_bay($1, $2, $3, '{}', $4, $5)`,
      [bay?.id ?? null, name, isActive, await versionOf('bays'), isPreview],
    )
    return rows.map(({ customer_name, new_bay_name }) => `${customer_name} ${new_bay_name}`)
  }
  const places = async () =>
    (
      await asAdmin<{ place: string }>(
        `select customer_name || ' ' || coalesce(bay.name, 'nowhere') as place
         from public.bookings left join public.bays bay on bay.id = bay_id order by 1`,
      )
    ).map(({ place }) => place)

  it('moves its appointments to other free bays when it is deactivated, and the preview lists these moves', async () => {
    await addBay(shop, 'Bay 2')
    await book('2026-11-28', '13:30')
    await book('2026-11-28', '13:30')
    await book('2026-11-28', '16:00')
    const moves = ['2026-11-28 13:30 null', '2026-11-28 16:00 Bay 2']
    const before = await places()
    expect(await saveBay('Bay 1', false, true)).toEqual(moves)
    expect(await places()).toEqual(before)
    expect(await saveBay('Bay 1', false)).toEqual(moves)
    expect(await places()).toEqual([
      '2026-11-28 13:30 Bay 2',
      '2026-11-28 13:30 nowhere',
      '2026-11-28 16:00 Bay 2',
    ])
    expect(await scheduleConflicts()).toEqual(['2026-11-28 13:30 no_bay'])
    expect(await saveBay('Bay 1', true)).toEqual([])
  })

  it('cannot be deactivated when it is the last active one', async () => {
    const [bay] = await asAdmin<{ id: string }>('select id from public.bays')
    expect(
      await refusalOf(`select * from public.save_bay($1, 'Bay 1', false, '{}', $2)`, [
        bay?.id,
        await versionOf('bays'),
      ]),
    ).toMatchObject({ code: 'TT054', hint: 'last_active_bay' })
  })

  it('must have a name of one line that no other bay has', async () => {
    for (const [name, code] of [
      ['Bay 1', '23505'],
      [' ', '23514'],
      ['A\tB', '23514'],
    ]) {
      const refusal = await refusalOf(`select * from public.save_bay(null, $1, true, '{}', $2)`, [
        name,
        await versionOf('bays'),
      ])
      expect({ name, code: refusal.code }).toEqual({ name, code })
    }
  })

  it('keeps its technician until staff choose another technician or none', async () => {
    const save = async (technician: string | null) => {
      await asAdmin(
        `select * from public.save_bay(
           (select id from public.bays where name = 'Bay 1'), 'Bay 1', true, '{}', $1, false, $2)`,
        [await versionOf('bays'), technician],
      )
      const [bay] = await asAdmin<{ technician: string | null }>(
        `select technician from public.bays where name = 'Bay 1'`,
      )
      return bay?.technician
    }
    expect(await save(' Ana Reyes ')).toBe('Ana Reyes')
    expect(await save(null)).toBe('Ana Reyes')
    expect(await save('')).toBeNull()
    await expect(save('A\u200bB')).rejects.toMatchObject({ code: '23514' })
    await expect(save('A'.repeat(41))).rejects.toMatchObject({ code: '23514' })
  })

  it('can be limited to certain services and has a sort position', async () => {
    await saveBay('Rack', true)
    const bays = await asAdmin<{ id: string }>('select id from public.bays order by position desc')
    const ids = bays.map(({ id }) => id)
    await asAdmin(`select * from public.save_bay($1, 'Rack', true, $2, $3)`, [
      ids[0],
      [serviceId],
      await versionOf('bays'),
    ])
    expect(await asAdmin('select service_id from public.bay_services')).toEqual([
      { service_id: serviceId },
    ])
    await asAdmin('select public.order_bays($1, $2)', [ids, await versionOf('bays')])
    await book('2026-11-28', '13:30')
    expect(await places()).toEqual(['2026-11-28 13:30 Rack'])
    await asAdmin('select public.order_bays($1, $2)', [ids.toReversed(), await versionOf('bays')])
    expect(
      await refusalOf('select public.order_bays($1, $2)', [ids.slice(1), await versionOf('bays')]),
    ).toMatchObject({ code: '22023', hint: 'invalid_order' })
    await shop.owner.query(truncateTables('public.bookings'))
  })

  it('can be deactivated during concurrent bookings, and no booking is then left in the bay', async () => {
    await addBay(shop, 'Bay 2')
    const pool = openDatabase(shop.url, { maxConnections: 20 })
    const bookings = Array.from({ length: 20 }, (_, nth) =>
      pool
        .transaction(visitor, (query) =>
          insertRow(
            query,
            'bookings',
            bookingRow(serviceId, {
              appointment_date: nth % 2 === 0 ? '2026-11-28' : '2026-11-29',
              appointment_time: `${11 + (nth % 6)}:00`,
              customer_email: `crowd${nth}@example.com`,
              customer_phone: `(650) 557-${String(nth).padStart(4, '0')}`,
            }),
          ),
        )
        .then(
          () => 'booked',
          (error: { code?: string }) => error.code,
        ),
    )
    const [codes] = await Promise.all([Promise.all(bookings), saveBay('Bay 1', false)])
    await pool.close()
    expect(codes.filter((code) => code !== 'booked' && code !== '23P01')).toEqual([])
    expect((await places()).filter((place) => place.endsWith('Bay 1'))).toEqual([])
    await saveBay('Bay 1', true)
  })
})

describe('two windows that save the same settings', () => {
  it.each([
    [`select * from public.save_opening_hours('[]', 0)`],
    [`select * from public.save_opening_hours('[]', null)`],
    [
      `select * from public.save_special_hours(null, '2026-11-28', '2026-11-29', false, null, '', true, 0)`,
    ],
    ['select * from public.remove_special_hours(gen_random_uuid(), 0)'],
    [`select * from public.save_bay(null, 'Bay 9', true, '{}', 0)`],
    [`select public.order_bays('{}', 0)`],
    [`select public.order_services('{}', 0)`],
  ])(
    'get a version conflict when the version that they loaded is outdated or missing: %s',
    async (sql) => {
      expect(await refusalOf(sql)).toMatchObject({ code: 'TT051', hint: 'version_conflict' })
    },
  )

  it('get one success and one version conflict when they save concurrently', async () => {
    const version = await versionOf('closures')
    const save = (date: string) =>
      asAdmin(
        `select * from public.save_special_hours(null, $1::date, $1::date + 1, false, null, '', true, $2)`,
        [date, version],
      ).then(
        () => 'saved',
        (error: { code?: string }) => error.code,
      )
    const outcomes = await Promise.all([save('2026-12-01'), save('2026-12-02')])
    expect(outcomes.toSorted()).toEqual(['TT051', 'saved'])
  })
})

describe('a role other than the admin', () => {
  it.each([
    [`select * from public.save_opening_hours('[]', 1)`],
    [
      `select * from public.save_special_hours(null, '2026-11-28', '2026-11-29', false, null, '', true, 1)`,
    ],
    ['select * from public.remove_special_hours(gen_random_uuid(), 1)'],
    [`select * from public.save_bay(null, 'Bay 9', true, '{}', 1)`],
    [`select public.order_bays('{}', 1)`],
    [`select public.order_services('{}', 1)`],
    [`select public.accept_schedule_conflicts('{}')`],
  ])('cannot call the procedure in: %s', async (sql) => {
    for (const role of [visitor, signedInStranger]) {
      expect((await refusalTo(shop.database, role, (query) => query.unchecked(sql))).code).toBe(
        '42501',
      )
    }
  })

  it('cannot read any appointment in the schedule conflicts', async () => {
    await book('2026-11-28', '13:30')
    await close('2026-11-28', '2026-11-29')
    const read = 'select * from public.schedule_conflicts'
    expect((await refusalTo(shop.database, visitor, (query) => query.unchecked(read))).code).toBe(
      '42501',
    )
    expect(
      await shop.database.transaction(signedInStranger, (query) => query.unchecked(read)),
    ).toEqual([])
    expect(await scheduleConflicts()).toHaveLength(1)
  })
})
