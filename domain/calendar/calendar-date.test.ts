import { assert, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  firstOfMonth,
  formatDate,
  formatLongDate,
  formatMediumDate,
  formatMonth,
  formatShortDate,
  isCalendarDate,
  mondayOf,
  shortDayName,
  sundayOf,
  weekdayOf,
} from './calendar-date.ts'

describe('a calendar date', () => {
  test.each(['2026-11-28', '2024-02-29', '2000-02-29'])('accepts the existing date %s', (date) => {
    expect(isCalendarDate(date)).toBe(true)
  })

  test.each([
    '2026-02-29',
    '2100-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '',
    '2026-11-28T00:00',
  ])('refuses "%s" instead of changing it to a nearby date', (date) => {
    expect(isCalendarDate(date)).toBe(false)
    expect(() => addDays(date, 1)).toThrow(RangeError)
  })

  test('formats a date in each of its long and short forms', () => {
    expect(formatLongDate('2026-11-28')).toBe('Saturday, November 28, 2026')
    expect(formatDate('2026-01-05')).toBe('January 5, 2026')
    expect(formatMediumDate('2026-05-08')).toBe('May 8, 2026')
    expect(formatShortDate('2026-11-28')).toBe('Nov 28')
    expect(formatMonth('2026-11-28')).toBe('November 2026')
    expect(shortDayName('2026-11-28')).toBe('Sat')
  })

  test('returns the first day of its week: Monday in the dashboard, Sunday on the public site', () => {
    expect([mondayOf('2026-11-29'), mondayOf('2026-11-23')]).toEqual(['2026-11-23', '2026-11-23'])
    expect([sundayOf('2026-11-28'), sundayOf('2026-11-29')]).toEqual(['2026-11-22', '2026-11-29'])
  })

  test('addMonths changes the 31st to the last day of a shorter month', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
    expect(addMonths('2026-11-15', 2)).toBe('2027-01-15')
    expect(addMonths('2026-01-15', -1)).toBe('2025-12-15')
    expect(firstOfMonth('2026-11-28')).toBe('2026-11-01')
  })

  test('addDays agrees with the proleptic Gregorian calendar', () => {
    assert(
      property(integer({ min: -200_000, max: 200_000 }), (days) => {
        const moved = addDays('2026-03-08', days)
        expect(moved).toBe(new Date(Date.UTC(2026, 2, 8 + days)).toISOString().slice(0, 10))
        expect(addDays(moved, -days)).toBe('2026-03-08')
        expect(weekdayOf(moved)).toBe(new Date(`${moved}T12:00:00Z`).getUTCDay())
        expect(formatLongDate(moved)).toBe(
          new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' }).format(
            new Date(`${moved}T12:00:00Z`),
          ),
        )
      }),
    )
  })
})
