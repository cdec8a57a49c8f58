import { expect, test } from 'vitest'
import type { SpecialHours } from '../bookings-api.ts'
import { closedDayText } from './closed-day.ts'

const hours = { opensAtMinute: 480, closesAtMinute: 1020 }
/** Weekly opening hours: the shop is closed on Sunday and open on all other days. */
const week = [null, hours, hours, hours, hours, hours, hours] as const
const friday = '2026-11-27'

const hoursOf = (
  starts_at: string,
  ends_at: string,
  reason = '',
  is_open = false,
): SpecialHours => ({
  starts_at,
  ends_at,
  is_open,
  reason,
})

test('closedDayText returns undefined for an open day', () => {
  expect(closedDayText(friday, week, [])).toBeUndefined()
})

test('closedDayText states that a weekday without hours is closed', () => {
  expect(closedDayText('2026-11-29', week, [])).toBe('Closed')
})

test('closedDayText contains the reason of a closure of the whole day', () => {
  const closure = hoursOf('2026-11-26T00:00:00', '2026-11-28T00:00:00', 'Thanksgiving')
  expect(closedDayText(friday, week, [closure])).toBe('Closed: Thanksgiving')
  expect(closedDayText('2026-11-28', week, [closure])).toBeUndefined()
})

test('closedDayText returns undefined for a day with a closure of only a part of the day', () => {
  const closure = hoursOf('2026-11-27T12:00:00', '2026-11-27T17:00:00', 'Staff meeting')
  expect(closedDayText(friday, week, [closure])).toBeUndefined()
})

test('closedDayText returns undefined for special hours on a weekday without hours', () => {
  const opening = hoursOf('2026-11-29T09:00:00', '2026-11-29T12:00:00', '', true)
  expect(closedDayText('2026-11-29', week, [opening])).toBeUndefined()
})
