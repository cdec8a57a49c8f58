import { expect, test } from 'vitest'
import { checkDateRange, presetRanges } from './date-range.ts'

const messageOf = (from: string, to: string) => {
  const checked = checkDateRange({ from, to })
  return checked.ok ? '' : checked.refusal.message
}

test.each([
  ['', '2026-03-31', 'Please choose the first day.'],
  ['2026-02-29', '2026-03-31', 'Please choose the first day.'],
  ['2026-01-01', '', 'Please choose the last day.'],
  ['2026-01-02', '2026-01-01', 'The last day is before the first one.'],
  ['0202-01-01', '2026-01-01', 'Please choose the first day.'],
  ['2026-01-01', '9999-12-31', 'Please choose the last day.'],
  [
    '2016-01-01',
    '2026-01-01',
    'Please choose ten years or less: a longer period needs several files.',
  ],
])('the range from %j to %j is refused with the message "%s"', (from, to, message) => {
  expect(messageOf(from, to)).toBe(message)
})

test.each([
  ['2026-01-01', '2026-01-01'],
  ['2016-01-01', '2025-12-31'],
  ['2024-02-29', '2034-02-28'],
])('the range from %s to %s, of one day to ten years, is accepted', (from, to) => {
  expect(messageOf(from, to)).toBe('')
})

test('the preset ranges begin on the first day and end on the last day of their month, quarter or year', () => {
  expect(presetRanges('2026-03-31')).toEqual({
    'This month': { from: '2026-03-01', to: '2026-03-31' },
    'Last month': { from: '2026-02-01', to: '2026-02-28' },
    'This year': { from: '2026-01-01', to: '2026-03-31' },
    'Last year': { from: '2025-01-01', to: '2025-12-31' },
  })
  expect(presetRanges('2026-01-01')).toMatchObject({
    'Last month': { from: '2025-12-01', to: '2025-12-31' },
  })
})
