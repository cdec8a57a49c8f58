import { expect, test } from 'vitest'
import { loadText } from './bay-load.ts'

test('the load of a bay states the booked time, the open time and the number of vehicles that stay overnight', () => {
  const load = { openMinutes: 480, bookedMinutes: 450, overnightCount: 0 }
  expect(loadText(load)).toBe('7 h 30 min of 8 h')
  expect(loadText({ ...load, overnightCount: 1 })).toBe('7 h 30 min of 8 h, 1 vehicle overnight')
  expect(loadText({ ...load, overnightCount: 2 })).toBe('7 h 30 min of 8 h, 2 vehicles overnight')
})
