import { expect, test } from 'vitest'
import { formatMinute } from './clock-time.ts'
import { formatHours, groupOpeningHours, openingHours } from './opening-hours.ts'

test('groupOpeningHours groups the week from Monday to Sunday by equal hours', () => {
  expect(groupOpeningHours(openingHours).map(({ text }) => text)).toEqual([
    'Mon–Wed: 11:00 AM – 7:00 PM',
    'Thu–Sun: 8:30 AM – 9:00 PM',
  ])
})

test('groupOpeningHours does not group days with equal hours that are not consecutive', () => {
  const late = { opensAtMinute: 600, closesAtMinute: 1200 }
  const groups = groupOpeningHours({ ...openingHours, 2: late })
  expect(groups.map(({ text }) => text)).toEqual([
    'Mon: 11:00 AM – 7:00 PM',
    'Tue: 10:00 AM – 8:00 PM',
    'Wed: 11:00 AM – 7:00 PM',
    'Thu–Sun: 8:30 AM – 9:00 PM',
  ])
})

test('formatMinute formats a minute of the day on the 12-hour clock', () => {
  expect([0, 5, 510, 720, 779, 1439].map(formatMinute)).toEqual([
    '12:00 AM',
    '12:05 AM',
    '8:30 AM',
    '12:00 PM',
    '12:59 PM',
    '11:59 PM',
  ])
  expect(formatHours(openingHours[0])).toBe('8:30 AM – 9:00 PM')
})
