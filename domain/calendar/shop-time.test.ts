import { assert, constantFrom, date as anyDate, integer, property } from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from './calendar-date.ts'
import { timeOfMinute } from './clock-time.ts'
import {
  formatInstant,
  formatInstantDate,
  formatShortStamp,
  shopClock,
  shopInstant,
  shopToday,
} from './shop-time.ts'

const hostZones = [
  { zone: 'UTC', minutesBehindUtc: 0 },
  { zone: 'Asia/Tokyo', minutesBehindUtc: -540 },
  { zone: 'Pacific/Honolulu', minutesBehindUtc: 600 },
  { zone: 'America/Los_Angeles', minutesBehindUtc: 480 },
]

describe.each(hostZones)('on a machine in $zone', ({ zone, minutesBehindUtc }) => {
  const before = process.env['TZ']
  beforeAll(() => {
    process.env['TZ'] = zone
  })
  afterAll(() => {
    process.env['TZ'] = before
  })

  test('has the UTC offset of that zone', () => {
    expect(new Date(2026, 0, 15).getTimezoneOffset()).toBe(minutesBehindUtc)
  })

  test.each([
    ['2026-11-28', '13:30', '2026-11-28T21:30:00.000Z'],
    ['2026-07-04', '08:30:00', '2026-07-04T15:30:00.000Z'],
    // On 2026-03-08, daylight-saving time begins: the clock goes from 2 to 3 AM.
    ['2026-03-08', '01:59:59', '2026-03-08T09:59:59.000Z'],
    ['2026-03-08', '02:30', '2026-03-08T10:30:00.000Z'],
    ['2026-03-08', '03:00', '2026-03-08T10:00:00.000Z'],
    ['2026-03-08', '08:30', '2026-03-08T15:30:00.000Z'],
    ['2026-03-07', '08:30', '2026-03-07T16:30:00.000Z'],
    // On 2026-11-01, daylight-saving time ends: the hour from 1 to 2 AM occurs twice.
    ['2026-11-01', '00:59', '2026-11-01T07:59:00.000Z'],
    ['2026-11-01', '01:30', '2026-11-01T09:30:00.000Z'],
    ['2026-11-01', '02:00', '2026-11-01T10:00:00.000Z'],
    ['2026-11-01', '08:30', '2026-11-01T16:30:00.000Z'],
    ['2026-10-31', '08:30', '2026-10-31T15:30:00.000Z'],
  ])('converts the shop date and time %s %s to the instant %s', (date, time, instant) => {
    expect(shopInstant(date, time).toISOString()).toBe(instant)
  })

  test.each([
    ['2026-11-28T07:59:59.999Z', '2026-11-27', '23:59:59'],
    ['2026-11-28T08:00:00.000Z', '2026-11-28', '00:00:00'],
    ['2026-07-05T06:59:59.000Z', '2026-07-04', '23:59:59'],
    ['2026-07-05T07:00:00.000Z', '2026-07-05', '00:00:00'],
  ])('converts the instant %s to the shop date and time %s %s', (instant, date, time) => {
    const clock = shopClock(new Date(instant))
    expect({ date: clock.date, time: clock.time }).toEqual({ date, time })
    expect(shopToday(new Date(instant))).toBe(date)
  })

  test('converts every instant outside the hour that occurs twice to the wall clock and back', () => {
    const instants = anyDate({
      min: new Date('2020-01-01T00:00:00Z'),
      max: new Date('2037-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    assert(
      property(instants, (instant) => {
        instant.setUTCMilliseconds(0)
        const { date, time } = shopClock(instant)
        const back = shopInstant(date, time).getTime()
        const isRepeatedHour = shopClock(new Date(back)).time === time && back !== instant.getTime()
        expect(back - instant.getTime()).toBe(isRepeatedHour ? 3_600_000 : 0)
      }),
    )
  })

  test('converts every existing wall-clock time to an instant and back, in all parts of the year', () => {
    assert(
      property(integer({ min: 0, max: 3650 }), integer({ min: 0, max: 1439 }), (days, minute) => {
        const date = addDays('2024-01-01', days)
        const time = timeOfMinute(minute)
        const clock = shopClock(shopInstant(date, time))
        const isSkipped = clock.minute === minute + 60 && minute >= 120 && minute < 180
        expect(clock).toEqual(
          isSkipped ? expect.objectContaining({ date }) : { date, time: `${time}:00`, minute },
        )
      }),
    )
  })

  test('converts a later wall-clock time of a day to a later instant', () => {
    const dates = constantFrom('2026-03-08', '2026-11-01', '2026-06-01')
    const minutes = integer({ min: 0, max: 1438 })
    assert(
      property(dates, minutes, (date, minute) => {
        // 2:59 AM does not exist on March 8, 2026, and becomes the instant of 3:59 AM, which is later than 3:00 AM.
        if (date === '2026-03-08' && minute === 179) return
        const [one, next] = [minute, minute + 1].map((m) => shopInstant(date, timeOfMinute(m)))
        expect(Number(next) - Number(one)).toBeGreaterThan(0)
      }),
    )
  })

  test('formats an instant in shop time', () => {
    expect(formatInstant(new Date('2026-11-28T21:30:00Z'))).toBe('November 28, 2026 at 1:30 PM')
    expect(formatShortStamp('2026-11-29T05:30:00Z')).toBe('Nov 28, 9:30 PM')
    expect(formatInstantDate('2026-11-29T05:30:00Z')).toBe('Nov 28, 2026')
  })
})
