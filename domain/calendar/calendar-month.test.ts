import { assert, constantFrom, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, weekdayOf } from './calendar-date.ts'
import { moveDayByKey, weeksOfMonth } from './calendar-month.ts'

describe('the month of a date picker', () => {
  test('contains every day of the month once, in the column of its weekday', () => {
    assert(
      property(integer({ min: 0, max: 60 }), (months) => {
        const month = `${2026 + Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}-01`
        const weeks = weeksOfMonth(month)
        for (const week of weeks) {
          expect(week).toHaveLength(7)
          expect(week.some((day) => day !== null)).toBe(true)
          for (const [column, day] of week.entries()) if (day) expect(weekdayOf(day)).toBe(column)
        }
        const days = weeks.flat().filter((day) => day !== null)
        expect(days[0]).toBe(month)
        expect(days.every((day, index) => day === addDays(month, index))).toBe(true)
        expect(addDays(days.at(-1) ?? '', 1).slice(8)).toBe('01')
      }),
    )
  })

  test('keeps the focus within the selectable days after every arrow key', () => {
    const range = { first: '2026-11-20', last: '2026-12-20' }
    const keys = constantFrom(
      'ArrowLeft',
      'ArrowRight',
      'ArrowUp',
      'ArrowDown',
      'Home',
      'End',
      'PageUp',
      'PageDown',
    )
    assert(
      property(integer({ min: 0, max: 30 }), keys, (offset, key) => {
        const next = moveDayByKey(key, addDays(range.first, offset), range) ?? ''
        expect(next >= range.first && next <= range.last).toBe(true)
      }),
    )
  })

  test('moveDayByKey returns undefined for a key that the date picker does not use', () => {
    const range = { first: '2026-11-20', last: '2026-12-20' }
    expect(moveDayByKey('Tab', '2026-11-25', range)).toBeUndefined()
    expect(moveDayByKey('toString', '2026-11-25', range)).toBeUndefined()
  })
})
