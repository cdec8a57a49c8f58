import { expect, test } from 'vitest'
import { canMarkNoShow } from './no-show.ts'

test('staff can mark a booking as a no-show from 15 minutes after its start, but no earlier', () => {
  expect(canMarkNoShow('2026-11-24T13:00:00', '2026-11-24T13:14:59')).toBe(false)
  expect(canMarkNoShow('2026-11-24T13:00:00', '2026-11-24T13:15:00')).toBe(true)
  expect(canMarkNoShow('2026-11-23T18:50:00', '2026-11-24T09:00:00')).toBe(true)
})
