import { expect, test } from 'vitest'
import { formatDateTime, formatNarrowDateTime, formatShortDateTime } from './date-time-text.ts'

test('formatShortDateTime shows the weekday and the time without the date', () => {
  expect(formatShortDateTime('2026-11-24', '13:00:00')).toBe('Tuesday, 1:00 PM')
})

test('formatNarrowDateTime abbreviates the weekday and the month', () => {
  expect(formatNarrowDateTime('2026-11-24', '13:00')).toBe('Tue, Nov 24, 1:00 PM')
})

test('formatDateTime shows the date with its time, or the date alone for an empty time', () => {
  expect(formatDateTime('2026-11-24', '13:00')).toBe('Tuesday, November 24, 1:00 PM')
  expect(formatDateTime('2026-11-24', '')).toBe('Tuesday, November 24')
})
