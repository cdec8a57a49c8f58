import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookingFieldLimits } from '#domain/bookings/booking-form.ts'
import { bookingRefusal } from '#domain/bookings/booking-refusal.ts'
import { defaultBookingRules } from '#domain/bookings/booking-rules.ts'
import { addDays } from '#domain/calendar/calendar-date.ts'
import { timeOfMinute } from '#domain/calendar/clock-time.ts'
import { openingHours, type Weekday } from '#domain/calendar/opening-hours.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { shopInstant, shopToday } from '#domain/calendar/shop-time.ts'
import { readShop } from '#server/features/shop/read-shop.ts'
import { formatDuration } from '#domain/text/duration-text.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())

describe('the booking page and the database', () => {
  it('use the same default opening hours', async () => {
    const { rows } = await shop.owner.query<{ weekday: Weekday; opens: number; closes: number }>(
      `select weekday, opens_minute as opens, closes_minute as closes
       from public.opening_hours order by weekday`,
    )
    expect(rows).toEqual(
      Object.entries(openingHours).map(([weekday, { opensAtMinute, closesAtMinute }]) => ({
        weekday: Number(weekday),
        opens: opensAtMinute,
        closes: closesAtMinute,
      })),
    )
  })

  it('use the same minimum notice, booking window and interval between slots', async () => {
    const { rows } = await shop.owner.query(
      `select notice_minutes as "noticeMinutes", booking_window_days as "horizonDays",
              slot_interval_minutes as "gridMinutes", online_booking_paused as "isPaused"
       from public.booking_rules`,
    )
    expect(rows).toEqual([defaultBookingRules])
  })

  it('use the same default shop details', async () => {
    const { services } = defaultShop
    expect({ ...(await readShop(shop.database)), services }).toEqual(defaultShop)
  })

  it('format a duration in the same words', async () => {
    const minutes = [0, 1, 5, 59, 60, 61, 75, 120, 121, 1440, 20160]
    const { rows } = await shop.owner.query<{ words: string }>(
      'select internal.format_duration(m) as words from unnest($1::integer[]) m',
      [minutes],
    )
    expect(rows.map(({ words: text }) => text)).toEqual(minutes.map(formatDuration))
  })

  it('accept texts up to the same length', async () => {
    const columns: Record<keyof typeof bookingFieldLimits, string> = {
      name: 'customer_name',
      email: 'customer_email',
      phone: 'customer_phone',
      notes: 'notes',
      vehicleYear: 'vehicle_year',
      vehicleMake: 'vehicle_make',
      vehicleModel: 'vehicle_model',
      vehicleColor: 'vehicle_color',
    }
    for (const [field, column] of Object.entries(columns)) {
      const limit = bookingFieldLimits[field as keyof typeof bookingFieldLimits]
      const ofLength = (length: number) => '@'.padStart(length, '1')
      expect({ column, accepts: await areTextsValid({ [column]: ofLength(limit) }) }).toEqual({
        column,
        accepts: true,
      })
      expect({ column, accepts: await areTextsValid({ [column]: ofLength(limit + 1) }) }).toEqual({
        column,
        accepts: false,
      })
    }
  })
})

/**
 * Returns whether the database check of bookings accepts the texts in `change`, in a booking whose other vehicle
 * details and notes are empty.
 */
async function areTextsValid(change: Partial<Record<string, string>>): Promise<boolean> {
  const texts = {
    customer_name: 'Dana Whitfield',
    customer_email: 'dana@example.com',
    customer_phone: '(650) 555-0167',
    notes: '',
    vehicle_year: '',
    vehicle_make: '',
    vehicle_model: '',
    vehicle_color: '',
    internal_note: '',
    ...change,
  }
  const names = Object.keys(texts)
  const { rows } = await shop.owner.query<{ valid: boolean }>(
    `select internal.are_booking_texts_valid(${names.map((name, index) => `${name} => $${index + 1}`).join(', ')}) as valid`,
    Object.values(texts),
  )
  return rows[0]?.valid === true
}

/**
 * The times to which the test sets the clock: ordinary times, midnight at the shop, and the beginning and the end of
 * daylight-saving time.
 */
const instants = [
  '2026-11-20T18:00:00Z',
  '2026-11-28T07:59:59Z',
  '2026-11-28T08:00:00Z',
  '2026-02-20T16:30:00Z',
  '2026-03-07T23:00:00Z',
  '2026-03-08T08:30:00Z',
  '2026-03-08T09:59:59Z',
  '2026-03-08T10:00:00Z',
  '2026-03-08T13:30:00Z',
  '2026-10-20T19:00:00Z',
  '2026-10-31T23:30:00Z',
  '2026-11-01T07:30:00Z',
  '2026-11-01T08:30:00Z',
  '2026-11-01T09:30:00Z',
  '2026-11-01T14:30:00.000001Z',
  '2024-02-28T20:00:00Z',
]

/**
 * The start times that the test compares: every quarter of an hour of a day, and times one second before or after a quarter.
 */
const times = [
  ...Array.from({ length: 96 }, (_, quarter) => `${timeOfMinute(quarter * 15)}:00`),
  '13:30:01',
  '08:29:59',
  '23:59:59',
]
const durations = [45, 720]
const daysAhead = [-1, 0, 1, 2, 5, 8, 9, 30, 31]

describe.each(instants)('the booking page and the database at %s', (instant) => {
  const now = new Date(instant)
  const today = shopToday(now)

  it('refuse the same start times for the same reasons', async () => {
    await setShopClock(shop.owner, now.toISOString())
    const dates = daysAhead.map((days) => addDays(today, days))
    const { rows } = await shop.owner.query<{
      date: string
      time: string
      duration: number
      refusal: string | null
      starts_at: string
    }>(
      `select d::text as date, t::text as time, m as duration,
              internal.booking_refusal(d, t, m) as refusal,
              to_char(((d + t) at time zone 'America/Los_Angeles') at time zone 'UTC',
                      'YYYY-MM-DD"T"HH24:MI:SS".000Z"') as starts_at
       from unnest($1::date[]) d, unnest($2::time[]) t, unnest($3::integer[]) m`,
      [dates, times, durations],
    )
    expect(rows).toHaveLength(dates.length * times.length * durations.length)
    const differing = rows.filter(({ date, time, duration, refusal, starts_at }) => {
      const wanted = { date, time, durationMinutes: duration }
      return (
        bookingRefusal(wanted, now) !== refusal ||
        shopInstant(date, time).toISOString() !== starts_at
      )
    })
    expect(differing).toEqual([])
    // The compared results must contain all five reasons for a refusal of a booking, and an accepted booking; otherwise
    // the test would compare too few cases.
    expect(new Set(rows.map(({ refusal }) => refusal)).size).toBe(6)
  })

  it('agree on refused start times in every session time zone of the database', async () => {
    const client = await shop.owner.connect()
    const readRefusals = async (zone: string) => {
      await client.query(`set timezone = '${zone}'`)
      const { rows } = await client.query<{ refusals: string[] }>(
        `select array_agg(internal.booking_refusal(d, t, 75) order by d, t) as refusals
         from unnest($1::date[]) d, unnest($2::time[]) t`,
        [daysAhead.map((days) => addDays(today, days)), times],
      )
      return rows[0]?.refusals
    }
    const [utc, tokyo, honolulu] = [
      await readRefusals('UTC'),
      await readRefusals('Asia/Tokyo'),
      await readRefusals('Pacific/Honolulu'),
    ]
    await client.query('reset timezone')
    client.release()
    expect(tokyo).toEqual(utc)
    expect(honolulu).toEqual(utc)
  })
})
