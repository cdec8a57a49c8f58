import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asServer } from '#server/platform/database/identities.ts'
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
} from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
let serviceId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, fixtureClock)
  serviceId = await addService(shop, 'Story, 90 minutes', 90)
})
afterAll(() => shop.drop())
beforeEach(() =>
  shop.owner.query(
    `${truncateTables('public.bookings')}; delete from internal.form_origins; delete from public.special_hours`,
  ),
)

const close = (from: string, to: string, more: { isOpen?: boolean; isPublic?: boolean } = {}) =>
  shop.owner.query(
    `insert into public.special_hours (starts_at, ends_at, is_open, is_public, reason)
     values ($1, $2, $3, $4, 'Thanksgiving')`,
    [from, to, more.isOpen ?? false, more.isPublic ?? true],
  )
const isFree = async (date: string, time: string) => {
  const [row] = await shop.database.transaction(visitor, (query) =>
    query.unchecked<{ free: boolean }>('select public.is_time_slot_available(90, $1, $2) as free', [
      date,
      time,
    ]),
  )
  return row?.free
}
const refusalAt = (date: string, time: string) =>
  refusalTo(shop.database, visitor, (query) =>
    insertRow(
      query,
      'bookings',
      bookingRow(serviceId, { appointment_date: date, appointment_time: time }),
    ),
  )
const openDays = (from: string, to: string) =>
  shop.database.transaction(visitor, (query) =>
    query.unchecked<{ day: string; bays: unknown[]; closed_because: string | null }>(
      'select day::text, bays, closed_because from public.list_open_days($1, $2)',
      [from, to],
    ),
  )

describe('a closed day', () => {
  it('refuses appointments and shows the reason to every visitor', async () => {
    await close('2026-11-26', '2026-11-27')
    expect(await isFree('2026-11-26', '13:30')).toBe(false)
    expect(await refusalAt('2026-11-26', '13:30')).toMatchObject({
      code: 'TT014',
      hint: 'outside_hours',
    })
    expect(await openDays('2026-11-26', '2026-11-27')).toEqual([
      { day: '2026-11-26', bays: [], closed_because: 'Thanksgiving' },
      {
        day: '2026-11-27',
        bays: [[{ opensAtMinute: 510, closesAtMinute: 1260 }]],
        closed_because: null,
      },
    ])
  })

  it('does not show its reason to visitors when the reason is not public', async () => {
    await close('2026-11-26', '2026-11-27', { isPublic: false })
    expect(await openDays('2026-11-26', '2026-11-26')).toEqual([
      { day: '2026-11-26', bays: [], closed_because: null },
    ])
    const read = 'select reason from public.special_hours'
    expect(await shop.database.transaction(visitor, (query) => query.unchecked(read))).toEqual([])
  })

  it('can be any day of a closure of several days, including the last one', async () => {
    await close('2026-11-24', '2026-12-15')
    const days = await openDays('2026-11-23', '2026-12-15')
    const closed = days.filter(({ bays }) => bays.length === 0).map(({ day }) => day)
    expect([closed.length, closed[0], closed.at(-1)]).toEqual([21, '2026-11-24', '2026-12-14'])
    expect(await isFree('2026-12-14', '13:00')).toBe(false)
    expect(await isFree('2026-12-15', '13:00')).toBe(true)
  })
})

describe('a closure of part of a day', () => {
  it('removes the slots that overlap it, and the next slot begins at its end', async () => {
    await close('2026-11-28T14:00', '2026-11-28T14:45')
    expect(await isFree('2026-11-28', '12:30')).toBe(true)
    expect(await isFree('2026-11-28', '13:00')).toBe(false)
    expect((await refusalAt('2026-11-28', '13:00')).code).toBe('TT014')
    expect(await isFree('2026-11-28', '14:30')).toBe(false)
    expect(await isFree('2026-11-28', '14:45')).toBe(true)
    expect((await refusalAt('2026-11-28', '15:00')).code).toBe('TT015')
    expect(await openDays('2026-11-28', '2026-11-28')).toMatchObject([
      {
        bays: [
          [
            { opensAtMinute: 510, closesAtMinute: 840 },
            { opensAtMinute: 885, closesAtMinute: 1260 },
          ],
        ],
        closed_because: null,
      },
    ])
  })
})

describe('a special opening', () => {
  it('opens the shop on a weekday without opening hours', async () => {
    await shop.owner.query('delete from public.opening_hours where weekday = 0')
    expect(await isFree('2026-11-29', '10:00')).toBe(false)
    await close('2026-11-29T10:00', '2026-11-29T14:00', { isOpen: true })
    expect(await isFree('2026-11-29', '10:00')).toBe(true)
    expect(await isFree('2026-11-29', '12:30')).toBe(true)
    expect(await isFree('2026-11-29', '13:00')).toBe(false)
    await shop.owner.query('insert into public.opening_hours values (0, 510, 1260)')
  })

  it('extends the opening hours of its day', async () => {
    await close('2026-11-23T09:00', '2026-11-23T11:00', { isOpen: true })
    expect(await isFree('2026-11-23', '10:00')).toBe(true)
    expect(await isFree('2026-11-23', '09:00')).toBe(true)
  })
})

describe('an invalid closure', () => {
  it.each([
    ['2026-11-26T12:00', '2026-11-26T12:00', false, 'special_hours_end_after_start'],
    ['2026-11-27', '2026-11-26', false, 'special_hours_end_after_start'],
    ['2026-11-26', '2028-11-26', false, 'special_hours_are_of_this_century'],
    ['2026-11-26', 'infinity', false, 'special_hours_are_of_this_century'],
    ['0001-01-01', '0001-01-02', false, 'special_hours_are_of_this_century'],
    ['2026-11-26T12:00:30', '2026-11-27', false, 'special_hours_are_whole_minutes'],
    ['2026-11-26T12:00', '2026-11-27T12:00', true, 'special_openings_last_one_day'],
  ])(
    'from %s to %s (special hours: %s) is refused with the name of the constraint',
    async (from, to, isOpen, rule) => {
      await expect(close(from, to, { isOpen })).rejects.toMatchObject({
        code: '23514',
        constraint: rule,
      })
    },
  )
})

describe('the days of the calendar', () => {
  it.each([
    ['2026-11-01', '2027-01-02'],
    ['2026-11-02', '2026-11-01'],
    [null, '2026-11-01'],
    ['2026-11-01', null],
    ['-infinity', '2026-11-01'],
    ['2026-11-01', 'infinity'],
  ])('cannot be requested for the range from %s to %s', async (from, to) => {
    const refusal = await refusalTo(shop.database, visitor, (query) =>
      query.unchecked('select * from public.list_open_days($1, $2)', [from, to]),
    )
    expect(refusal).toMatchObject({ code: '22023', hint: 'invalid_range' })
  })

  it('can be requested for two months in one call', async () => {
    expect(await openDays('2026-11-01', '2027-01-01')).toHaveLength(62)
  })
})

describe('the special days that public pages show', () => {
  const listSpecialDays = () =>
    shop.database.transaction(asServer, (query) =>
      query.unchecked<{ day: string; hours: unknown[]; bays: unknown[]; closed_because: string }>(
        'select day::text, hours, bays, closed_because from public.list_special_days()',
      ),
    )
  const hours = { opensAtMinute: 510, closesAtMinute: 1260 }

  it('are the days of closures and special hours, with the same open spans as list_open_days', async () => {
    await close('2026-11-26', '2026-11-28')
    await close('2026-11-28T14:00', '2026-11-28T14:45')
    expect(await listSpecialDays()).toMatchObject([
      { day: '2026-11-26', hours: [], bays: [], closed_because: 'Thanksgiving' },
      { day: '2026-11-27', hours: [], bays: [], closed_because: 'Thanksgiving' },
      { day: '2026-11-28', hours: [{ closesAtMinute: 840 }, { opensAtMinute: 885 }] },
    ])
    expect(await listSpecialDays()).toMatchObject(await openDays('2026-11-26', '2026-11-28'))
  })

  it('distinguish the closure of one bay from a closure of the shop', async () => {
    await shop.owner.query(
      `insert into public.special_hours (starts_at, ends_at, bay_id, reason)
       values ('2026-11-28', '2026-11-29', internal.default_bay(), 'Rack calibration')`,
    )
    expect(await listSpecialDays()).toEqual([
      { day: '2026-11-28', hours: [hours], bays: [], closed_because: null },
    ])
  })

  it('begin with today for a closure that began earlier', async () => {
    await close('2026-11-01', '2026-11-23')
    expect((await listSpecialDays()).map(({ day }) => day)).toEqual([
      '2026-11-20',
      '2026-11-21',
      '2026-11-22',
    ])
  })

  it('end a week after the booking window, and include the next public closure after that', async () => {
    await close('2026-12-27', '2026-12-30')
    await close('2027-01-05', '2027-01-06', { isPublic: false })
    await close('2027-05-31', '2027-06-01')
    await close('2027-07-05', '2027-07-06')
    expect((await listSpecialDays()).map(({ day }) => day)).toEqual(['2026-12-27', '2027-05-31'])
  })

  it('include at most one month of a closure in the distant future', async () => {
    await close('2027-05-01', '2028-05-01')
    expect(await listSpecialDays()).toHaveLength(31)
  })
})

describe('the permission to read closures', () => {
  it('gives a visitor only the public columns', async () => {
    await close('2026-11-26', '2026-11-27')
    const read = (sql: string) =>
      shop.database.transaction(visitor, (query) => query.unchecked(sql))
    expect(await read('select starts_at::text, reason, is_open from public.special_hours')).toEqual(
      [{ starts_at: '2026-11-26 00:00:00', reason: 'Thanksgiving', is_open: false }],
    )
    expect(
      (
        await refusalTo(shop.database, visitor, (query) =>
          query.unchecked('select id from public.special_hours'),
        )
      ).code,
    ).toBe('42501')
  })

  it('gives every closure to the admin, and not to other signed-in users', async () => {
    await close('2026-11-26', '2026-11-27', { isPublic: false })
    const read = 'select id from public.special_hours'
    expect(await shop.database.transaction(admin, (query) => query.unchecked(read))).toHaveLength(1)
    expect(
      await shop.database.transaction(signedInStranger, (query) => query.unchecked(read)),
    ).toEqual([])
  })
})
