import { assert, constantFrom, date as anyDate, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasMinimumNotice } from './booking-notice.ts'
import { bookingRefusal } from './booking-refusal.ts'
import { bookingWindow } from './booking-window.ts'
import { addDays, weekdayOf } from '#domain/calendar/calendar-date.ts'
import { minuteOfTime } from '#domain/calendar/clock-time.ts'
import { openingHours } from '#domain/calendar/opening-hours.ts'
import { shopInstant } from '#domain/calendar/shop-time.ts'
import { listBookableSlots, listTimeSlots, partOfDay } from './time-slots.ts'

const days = integer({ min: 0, max: 800 })
const durations = integer({ min: 5, max: 720 })

describe('time slots', () => {
  test('on a Saturday, an appointment of 75 minutes can start every half hour from 8:30 AM to 7:30 PM', () => {
    const slots = listTimeSlots('2026-11-28', 75)
    expect(slots.slice(0, 3)).toEqual(['08:30', '09:00', '09:30'])
    expect(slots.at(-1)).toBe('19:30')
    expect(slots).toHaveLength(23)
  })

  test('the last slot is the start of an appointment that ends exactly at closing', () => {
    expect(listTimeSlots('2026-11-23', 120).at(-1)).toBe('17:00')
    expect(listTimeSlots('2026-11-23', 480)).toEqual(['11:00'])
    expect(listTimeSlots('2026-11-23', 481)).toEqual([])
  })

  test('on every weekday, the slots start at opening, are 30 minutes apart, and leave time for the appointment before closing', () => {
    assert(
      property(days, durations, (day, duration) => {
        const date = addDays('2026-01-01', day)
        const hours = openingHours[weekdayOf(date)]
        const minutes = listTimeSlots(date, duration).map(minuteOfTime)
        for (const [index, minute] of minutes.entries()) {
          expect(minute).toBe(hours.opensAtMinute + index * 30)
          expect(minute + duration).toBeLessThanOrEqual(hours.closesAtMinute)
        }
        const next = (minutes.at(-1) ?? hours.opensAtMinute - 30) + 30
        expect(next + duration).toBeGreaterThan(hours.closesAtMinute)
      }),
    )
  })

  test('the listed slots are exactly the times that bookingRefusal allows, checked for every minute of the booking window', () => {
    const nows = anyDate({
      min: new Date('2026-02-01T00:00:00Z'),
      max: new Date('2026-12-01T00:00:00Z'),
      noInvalidDate: true,
    })
    assert(
      property(
        nows,
        integer({ min: -2, max: 33 }),
        constantFrom(30, 75, 120),
        (now, ahead, duration) => {
          const date = addDays(bookingWindow(now).first, ahead)
          const bookable = listBookableSlots(date, duration, now)
          if (ahead < 0 || ahead > 30) expect(bookable).toEqual([])
          for (const time of listTimeSlots(date, duration)) {
            const isFarEnough = shopInstant(date, time).getTime() - now.getTime() >= 120 * 60_000
            expect(bookable.includes(time)).toBe(ahead >= 0 && ahead <= 30 && isFarEnough)
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  test('each slot belongs to the morning, the afternoon or the evening', () => {
    expect(['08:30', '11:59', '12:00', '16:59', '17:00', '20:30'].map(partOfDay)).toEqual([
      'Morning',
      'Morning',
      'Afternoon',
      'Afternoon',
      'Evening',
      'Evening',
    ])
  })
})

describe('the minimum notice', () => {
  test('accepts a start exactly two hours ahead, and refuses a start one millisecond earlier', () => {
    const start = shopInstant('2026-11-28', '13:30').getTime()
    expect(hasMinimumNotice('2026-11-28', '13:30', new Date(start - 7_200_000))).toBe(true)
    expect(hasMinimumNotice('2026-11-28', '13:30', new Date(start - 7_199_999))).toBe(false)
  })

  test('counts elapsed minutes on the day on which daylight-saving time begins', () => {
    // Daylight-saving time begins at 2 AM on March 8, 2026: from 00:30 to 03:30 two hours elapse, while the clock
    // advances by three.
    expect(hasMinimumNotice('2026-03-08', '03:30', new Date('2026-03-08T08:30:00Z'))).toBe(true)
    expect(hasMinimumNotice('2026-03-08', '03:00', new Date('2026-03-08T08:30:00Z'))).toBe(false)
  })

  test('counts elapsed minutes on the day on which daylight-saving time ends', () => {
    // Daylight-saving time ends at 2 AM on November 1, 2026: from 00:30 to 01:30 standard time two hours elapse, while
    // the clock advances by one.
    expect(hasMinimumNotice('2026-11-01', '01:30', new Date('2026-11-01T07:30:00Z'))).toBe(true)
    expect(hasMinimumNotice('2026-11-01', '01:30', new Date('2026-11-01T07:31:00Z'))).toBe(false)
  })
})

describe('bookingRefusal', () => {
  const now = new Date('2026-11-20T18:00:00Z') // The current time of these tests: Friday, 10 AM, shop time.
  const refusalOf = (date: string, time: string, durationMinutes = 75) =>
    bookingRefusal({ date, time, durationMinutes }, now)

  test.each([
    ['on the day before today', '2026-11-19', '13:30', 'in_the_past'],
    ['one hour before now', '2026-11-20', '09:00', 'in_the_past'],
    ['one hour after now', '2026-11-20', '11:00', 'notice_required'],
    ['31 days after today', '2026-12-21', '13:00', 'too_far_ahead'],
    ['before the shop opens', '2026-11-23', '10:30', 'outside_hours'],
    ['too late to end before closing', '2026-11-21', '20:00', 'outside_hours'],
    ['at a quarter past the hour, between two slots', '2026-11-21', '13:15', 'off_the_grid'],
    ['30 seconds after a slot', '2026-11-21', '13:30:30', 'off_the_grid'],
  ])('refuses a start %s', (_, date, time, refusal) => {
    expect(refusalOf(date, time)).toBe(refusal)
  })

  test.each([
    ['exactly two hours after now', '2026-11-20', '12:00'],
    ['30 days after today', '2026-12-20', '13:00'],
    ['so late that it ends at closing time', '2026-11-21', '19:30'],
  ])('allows a start %s', (_, date, time) => {
    expect(refusalOf(date, time)).toBeNull()
  })
})
