import { expect, test } from 'vitest'
import { formatDateTime, formatNarrowDateTime, formatShortDateTime } from './date-time-text.ts'

test('formats a date and time of the coming week without the date', () => {
  expect(formatShortDateTime('2026-11-24', '13:00:00')).toBe('Tuesday, 1:00 PM')
})

test('shortens the weekday and the month for narrow places', () => {
  expect(formatNarrowDateTime('2026-11-24', '13:00')).toBe('Tue, Nov 24, 1:00 PM')
})

test('formats a date with its time, or without one', () => {
  expect(formatDateTime('2026-11-24', '13:00')).toBe('Tuesday, November 24, 1:00 PM')
  expect(formatDateTime('2026-11-24', '')).toBe('Tuesday, November 24')
})
