import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
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
beforeEach(async () => {
  await shop.owner.query(`update public.shop set time_zone = 'America/Los_Angeles'`)
  await shop.owner.query(
    `update public.booking_rules set notice_minutes = 120, booking_window_days = 30, slot_interval_minutes = 30,
       online_booking_paused = false, pause_message = ''`,
  )
})

const asAdmin = (sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked(sql, values))
const refusalOf = (sql: string, values: unknown[] = []) =>
  refusalTo(shop.database, admin, (query) => query.unchecked(sql, values))
const bookingRefusalOf = (date: string, time: string) =>
  refusalTo(shop.database, visitor, (query) =>
    insertRow(
      query,
      'bookings',
      bookingRow(serviceId, { appointment_date: date, appointment_time: time }),
    ),
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

describe('the shop details', () => {
  it('can be read by a visitor, except the versions', async () => {
    const read = (sql: string) =>
      shop.database.transaction(visitor, (query) => query.unchecked(sql))
    expect(await read('select name, phone, time_zone, links from public.shop')).toEqual([
      {
        name: 'Torque & Timing',
        phone: '+16505550142',
        time_zone: 'America/Los_Angeles',
        links: [],
      },
    ])
    expect(
      await read('select notice_minutes, pause_message from public.booking_rules'),
    ).toHaveLength(1)
    for (const sql of [
      'select version from public.shop',
      'select version from public.booking_rules',
      'select reminder_time from public.booking_rules',
    ]) {
      const { code } = await refusalTo(shop.database, visitor, (query) => query.unchecked(sql))
      expect({ sql, code }).toEqual({ sql, code: '42501' })
    }
  })

  it.each(['shop', 'booking_rules'])(
    'in the table %s are always exactly one row',
    async (table) => {
      for (const sql of [
        `delete from public.${table}`,
        `insert into public.${table} default values`,
      ])
        expect((await refusalOf(sql)).code).toBe('42501')
      await expect(
        shop.owner.query(`insert into public.${table} select * from public.${table}`),
      ).rejects.toMatchObject({ code: '23505' })
    },
  )

  it('can be changed by the admin only', async () => {
    const change = `update public.shop set name = 'Ours' returning name`
    for (const role of [visitor, signedInStranger]) {
      const changed = await shop.database
        .transaction(role, (query) => query.unchecked(change))
        .catch((error: { code: string }) => error.code)
      expect(changed).toEqual(role === visitor ? '42501' : [])
    }
    expect(await asAdmin(change)).toEqual([{ name: 'Ours' }])
    await asAdmin(`update public.shop set name = 'Torque & Timing'`)
  })

  it('have a version, and a save with an older version changes nothing', async () => {
    const [seen] = await asAdmin('select version from public.shop')
    const save = (tagline: string) =>
      asAdmin('update public.shop set tagline = $1 where version = $2 returning version', [
        tagline,
        (seen as { version: number }).version,
      ])
    expect(await save('First')).toEqual([{ version: (seen as { version: number }).version + 1 }])
    expect(await save('Second')).toEqual([])
    expect(await asAdmin('select tagline from public.shop')).toEqual([{ tagline: 'First' }])
    expect((await refusalOf('update public.shop set version = 1')).code).toBe('42501')
  })

  it.each([
    ['name', '', 'shop_name_is_text'],
    ['name', '  ', 'shop_name_is_text'],
    ['name', 'x'.repeat(61), 'shop_name_is_text'],
    ['street', '2130 Example\nWay', 'shop_street_is_text'],
    ['street', '2130\u202e Example Way', 'shop_street_is_text'],
    ['city', 'Mountain\u200b View', 'shop_city_is_text'],
    ['description', 'x'.repeat(301), 'shop_description_is_text'],
    ['country', 'usa', 'shop_country_is_a_code'],
    ['latitude', '91', 'shop_latitude_in_range'],
    ['longitude', 'NaN', 'shop_longitude_in_range'],
    ['phone', '(650) 555-0142', 'shop_phone_is_a_number'],
    ['billing_phone', '+1', 'shop_billing_phone_is_a_number'],
    ['support_email', 'support', 'shop_support_email_is_an_address'],
    ['billing_email', 'a@b@example.com', 'shop_billing_email_is_an_address'],
    ['booking_email', 'a@example.com\r\nBcc: b', 'shop_booking_email_is_an_address'],
    ['links', '{javascript:alert(1)}', 'shop_links_are_https_urls'],
    ['links', '{https://example.com/a b}', 'shop_links_are_https_urls'],
    ['links', '{NULL}', 'shop_links_are_https_urls'],
    ['appointment_minutes', '1000000', 'shop_appointment_minutes_in_range'],
    ['quote_reply_hours', '0', 'shop_quote_reply_hours_in_range'],
  ])(
    'cannot have %s set to %j, and the refusal names the constraint',
    async (column, value, rule) => {
      const refusal = await refusalOf(`update public.shop set ${column} = $1`, [value])
      expect(refusal.code).toBe('23514')
      expect(refusal.message).toContain(`"${rule}"`)
    },
  )

  it.each([
    'Mars/Olympus',
    'PST',
    'UTC+3',
    'posix/America/Chicago',
    'america/chicago',
    'America/Chicago ',
  ])('cannot have the time zone %j', async (zone) => {
    expect(await refusalOf('update public.shop set time_zone = $1', [zone])).toMatchObject({
      code: 'TT052',
      hint: 'time_zone_unknown',
    })
  })
})

describe('the booking rules', () => {
  it.each([
    ['notice_minutes', '1000000', 'booking_rules_notice_minutes_in_range'],
    ['notice_minutes', '-1', 'booking_rules_notice_minutes_in_range'],
    ['booking_window_days', '0', 'booking_rules_booking_window_days_in_range'],
    ['booking_window_days', '100000', 'booking_rules_booking_window_days_in_range'],
    ['slot_interval_minutes', '0', 'booking_rules_slot_interval_minutes_in_range'],
    ['slot_interval_minutes', '7', 'booking_rules_slot_interval_minutes_in_range'],
    ['change_cutoff_minutes', '1000000', 'booking_rules_change_cutoff_minutes_in_range'],
    ['cancel_cutoff_minutes', '-5', 'booking_rules_cancel_cutoff_minutes_in_range'],
    ['reminder_time', '22:00', 'booking_rules_reminder_time_by_day'],
    ['reminder_time', '07:59', 'booking_rules_reminder_time_by_day'],
    ['pause_message', 'a\u0007b', 'booking_rules_pause_message_is_text'],
    ['online_booking_paused', 'true', 'booking_rules_pause_has_message'],
  ])(
    'cannot have %s set to %j, and the refusal names the constraint',
    async (column, value, rule) => {
      const refusal = await refusalOf(`update public.booking_rules set ${column} = $1`, [value])
      expect(refusal.code).toBe('23514')
      expect(refusal.message).toContain(`"${rule}"`)
    },
  )

  it('cannot have a minimum notice that is longer than the booking window', async () => {
    const refusal = await refusalOf(
      'update public.booking_rules set notice_minutes = 10080, booking_window_days = 7',
    )
    expect(refusal.message).toContain('"booking_rules_notice_within_booking_window"')
  })

  it('refuse a start time that breaks the configured minimum notice, booking window or interval', async () => {
    await asAdmin(
      'update public.booking_rules set notice_minutes = 75, booking_window_days = 1, slot_interval_minutes = 60',
    )
    expect(await bookingRefusalOf('2026-11-20', '11:00')).toMatchObject({
      code: 'TT012',
      message: 'Appointments must be booked at least 1 hour and 15 minutes in advance.',
    })
    expect(await bookingRefusalOf('2026-11-22', '13:30')).toMatchObject({
      code: 'TT013',
      message: 'Appointments can be booked up to 1 day ahead.',
    })
    expect(await bookingRefusalOf('2026-11-21', '13:00')).toMatchObject({
      code: 'TT015',
      message: 'Appointments start every 1 hour from opening time.',
    })
    expect(await isFree('2026-11-21', '13:30')).toBe(true)
    expect(await isFree('2026-11-20', '11:30')).toBe(true)
    expect(await isFree('2026-11-20', '11:00')).toBe(false)
  })

  it('of a new shop refuse bookings with the default messages', async () => {
    const texts = [
      (await bookingRefusalOf('2026-11-20', '11:30')).message,
      (await bookingRefusalOf('2026-12-21', '13:30')).message,
      (await bookingRefusalOf('2026-11-28', '13:45')).message,
    ]
    expect(texts).toEqual([
      'Appointments must be booked at least 2 hours in advance.',
      'Appointments can be booked up to 30 days ahead.',
      'Appointments start every 30 minutes from opening time.',
    ])
  })

  it('can pause online booking, and bookings are then refused with the message of the shop', async () => {
    await asAdmin(
      `update public.booking_rules set online_booking_paused = true, pause_message = 'Back on Monday.'`,
    )
    expect(await isFree('2026-11-28', '13:30')).toBe(false)
    expect(await bookingRefusalOf('2026-11-28', '13:30')).toEqual({
      code: 'TT016',
      hint: 'booking_paused',
      message: 'Back on Monday.',
    })
  })
})

describe('the time zone', () => {
  it('determines the current time, today’s date and the minimum notice', async () => {
    // At this instant the time in Los Angeles is 10 AM, and in Auckland 7 AM on the next day.
    await asAdmin(`update public.shop set time_zone = 'Pacific/Auckland'`)
    expect((await bookingRefusalOf('2026-11-20', '13:30')).code).toBe('TT011')
    expect((await bookingRefusalOf('2026-11-21', '08:30')).code).toBe('TT012')
    expect(await isFree('2026-11-21', '09:00')).toBe(true)
    const [row] = await shop.database.transaction(visitor, (query) =>
      query.unchecked<{ now: string }>('select internal.shop_now()::text as now'),
    )
    expect(row?.now).toBe('2026-11-21 07:00:00')
  })
})
