import { array, boolean, constantFrom, integer, record, sample, tuple } from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bookingRefusal } from '#domain/bookings/booking-refusal.ts'
import { addDays } from '#domain/calendar/calendar-date.ts'
import { timeOfMinute } from '#domain/calendar/clock-time.ts'
import type { OpeningHours, Weekday } from '#domain/calendar/opening-hours.ts'
import { type Closure, openingsOf, type WeekHours } from '#domain/calendar/opening-spans.ts'
import type { ShopCalendar } from '#domain/calendar/shop-calendar.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import { listBookableSlots } from '#domain/bookings/time-slots.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'

/*
 * Compares the times that the booking page offers with those that the database accepts, in random shops over a year:
 * opening hours, closures, special hours, bays, rules and time zones are random.
 */

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())

const quarter = (most: number) => integer({ min: 0, max: most }).map((count) => count * 15)
const hours = tuple(quarter(60), quarter(40)).map(([opensAtMinute, length]) => ({
  opensAtMinute,
  closesAtMinute: Math.min(opensAtMinute + length + 15, 1440),
}))
const aClosure = record({
  daysAhead: integer({ min: -2, max: 40 }),
  from: quarter(95),
  minutes: quarter(300),
  isOpen: boolean(),
  /** The index of the bay to which the special hours or the closure applies; -1 means the whole shop. */
  bay: integer({ min: -1, max: 2 }),
})
const aShop = record({
  zone: constantFrom(
    'America/Los_Angeles',
    'America/New_York',
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'Pacific/Auckland',
    'Asia/Kolkata',
    'UTC',
  ),
  week: array(tuple(integer({ min: 0, max: 6 }), hours), { minLength: 2, maxLength: 9 }),
  closures: array(aClosure, { minLength: 3, maxLength: 14 }),
  bays: integer({ min: 1, max: 3 }),
  noticeMinutes: constantFrom(0, 45, 120, 1500),
  gridMinutes: constantFrom(15, 30, 45, 60),
  durationMinutes: constantFrom(15, 50, 90, 240),
})
type RandomShop = ReturnType<typeof describeShop>

/**
 * The instants to which the comparison sets the clock: one per month, including the beginning and the end of
 * daylight-saving time in both hemispheres.
 */
const instants = [
  '2027-01-03T17:20:00Z',
  '2027-02-02T23:59:30Z',
  '2027-03-13T22:10:00Z',
  '2027-04-03T10:00:00Z',
  '2027-05-05T06:45:00Z',
  '2027-06-01T00:00:00Z',
  '2027-07-04T12:34:56Z',
  '2027-08-02T18:00:00Z',
  '2027-09-25T09:15:00Z',
  '2027-10-02T08:00:00Z',
  '2027-10-30T21:05:00Z',
  '2027-11-06T23:30:00Z',
  '2027-12-05T03:00:00Z',
]
const horizonDays = 31
const times = Array.from({ length: 96 }, (_, nth) => timeOfMinute(nth * 15))

const bayIds = [1, 2, 3].map((nth) => `00000000-0000-4000-8000-00000000000${nth}`)

/** Creates one random shop in two forms: a calendar for the page, and rows for the database. */
function describeShop(number: number, instant: string) {
  const [drawn] = sample(aShop, { seed: 20270000 + number, numRuns: 1 })
  if (!drawn) throw new Error('No shop was drawn.')
  const today = shopToday(new Date(instant), drawn.zone)
  const bays = bayIds.slice(0, drawn.bays)
  const week: WeekHours = Object.fromEntries(drawn.week)
  const closures = drawn.closures.flatMap((closure) => closureOf(closure, today, bays))
  const calendar: ShopCalendar = {
    timeZone: drawn.zone,
    rules: {
      noticeMinutes: drawn.noticeMinutes,
      horizonDays,
      gridMinutes: drawn.gridMinutes,
      isPaused: false,
    },
    openingsOn: (date) => openingsOf(date, { week, closures }, bays),
  }
  const dates = Array.from({ length: horizonDays + 3 }, (_, nth) => addDays(today, nth - 1))
  return { calendar, week, closures, bays, dates, durationMinutes: drawn.durationMinutes }
}

type DrawnClosure = {
  daysAhead: number
  from: number
  minutes: number
  isOpen: boolean
  bay: number
}

function closureOf(drawn: DrawnClosure, today: string, bays: readonly string[]): Closure[] {
  const day = addDays(today, drawn.daysAhead)
  const last = drawn.from + drawn.minutes + 15
  // Special opening hours end on the day on which they begin, at midnight at the latest.
  const end = drawn.isOpen ? Math.min(last, 1440) : last
  const at = (minute: number) =>
    `${addDays(day, Math.floor(minute / 1440))}T${timeOfMinute(minute % 1440)}`
  const bayId = drawn.bay < 0 ? null : bays[drawn.bay]
  if (bayId === undefined) return []
  return [{ startsAt: at(drawn.from), endsAt: at(end), isOpen: drawn.isOpen, bayId }]
}

async function settleIn({ calendar, week, closures, bays }: RandomShop): Promise<void> {
  const { owner } = shop
  await owner.query(
    'delete from public.special_hours; delete from public.bays; delete from public.opening_hours',
  )
  await owner.query(
    `insert into public.bays (id, name, position) select id, 'Bay ' || nth, nth
     from unnest($1::uuid[]) with ordinality as bays (id, nth)`,
    [bays],
  )
  await owner.query(
    `insert into public.opening_hours select * from jsonb_to_recordset($1)
       as hours (weekday smallint, opens smallint, closes smallint)`,
    [
      JSON.stringify(
        Object.entries<OpeningHours>(week as Record<Weekday, OpeningHours>).map(
          ([weekday, { opensAtMinute, closesAtMinute }]) => ({
            weekday,
            opens: opensAtMinute,
            closes: closesAtMinute,
          }),
        ),
      ),
    ],
  )
  await owner.query(
    `insert into public.special_hours (starts_at, ends_at, is_open, bay_id)
     select "startsAt", "endsAt", "isOpen", "bayId" from jsonb_to_recordset($1)
       as closures ("startsAt" timestamp, "endsAt" timestamp, "isOpen" boolean, "bayId" uuid)`,
    [JSON.stringify(closures)],
  )
  await owner.query('update public.shop set time_zone = $1', [calendar.timeZone])
  await owner.query(
    'update public.booking_rules set notice_minutes = $1, booking_window_days = $2, slot_interval_minutes = $3',
    [calendar.rules.noticeMinutes, horizonDays, calendar.rules.gridMinutes],
  )
}

it.each(instants.map((instant, number) => ({ instant, number })))(
  'the booking page and the database offer the same times in random shops at $instant',
  async ({ instant, number }) => {
    const random = describeShop(number, instant)
    const { calendar, dates, durationMinutes } = random
    const now = new Date(instant)
    await setShopClock(shop.owner, instant)
    await settleIn(random)
    const { rows } = await shop.owner.query<{
      date: string
      time: string
      refusal: string | null
      free: boolean
    }>(
      `select d::text as date, to_char(t, 'HH24:MI') as time, internal.booking_refusal(d, t, $3) as refusal,
              public.is_time_slot_available($3, d, t) as free
       from unnest($1::date[]) d, unnest($2::time[]) t order by d, t`,
      [dates, times, durationMinutes],
    )
    expect(rows).toHaveLength(dates.length * times.length)
    const offered = new Set(
      dates.flatMap((date) =>
        listBookableSlots(date, durationMinutes, now, calendar).map((time) => `${date} ${time}`),
      ),
    )
    const differing = rows.filter(
      ({ date, time, refusal, free }) =>
        bookingRefusal({ date, time, durationMinutes }, now, calendar) !== refusal ||
        free !== (refusal === null) ||
        offered.has(`${date} ${time}`) !== free,
    )
    expect(differing).toEqual([])
    expect(offered.size).toBe(rows.filter(({ free }) => free).length)
  },
  60_000,
)

it.each(instants.map((instant, number) => ({ instant, number })))(
  'the public calendar lists the open spans of each day at $moment',
  async ({ instant, number }) => {
    const random = describeShop(number, instant)
    await settleIn(random)
    const { rows } = await shop.owner.query<{ day: string; bays: OpeningHours[][] }>(
      'select day::text, bays from public.list_open_days($1, $2)',
      [random.dates[0], random.dates.at(-1)],
    )
    const distinct = (openings: readonly (readonly OpeningHours[])[]) =>
      [
        ...new Set(
          openings
            .filter((spans) => spans.length > 0)
            .map((spans) =>
              spans
                .map(({ opensAtMinute, closesAtMinute }) => `${opensAtMinute}-${closesAtMinute}`)
                .join(' '),
            ),
        ),
      ].toSorted()
    expect(rows.map(({ day, bays }) => [day, distinct(bays)])).toEqual(
      random.dates.map((date) => [date, distinct(random.calendar.openingsOn(date))]),
    )
    expect(rows.every(({ bays }) => bays.length === distinct(bays).length)).toBe(true)
  },
)

it('the random shops in the comparison of calendars include both free times and closures', () => {
  const offers = instants.map((instant, number) => {
    const { calendar, dates, durationMinutes, closures } = describeShop(number, instant)
    const slots = dates.flatMap((date) =>
      listBookableSlots(date, durationMinutes, new Date(instant), calendar),
    )
    return { slots: slots.length, closures: closures.length }
  })
  expect(offers.filter(({ slots }) => slots > 20).length).toBeGreaterThan(8)
  expect(offers.every(({ closures }) => closures > 0)).toBe(true)
})
