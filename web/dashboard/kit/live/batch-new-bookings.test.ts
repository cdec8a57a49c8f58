import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { batchNewBookings } from './batch-new-bookings.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function listen() {
  const announced: string[][] = []
  const place = { isFree: true }
  const gathering = batchNewBookings<string>(
    (all) => announced.push([...all]),
    () => place.isFree,
  )
  return { announced, place, ...gathering }
}

test('One that comes alone is told soon, and once', () => {
  const { announced, add } = listen()
  add(['Robin'])
  vi.advanceTimersByTime(10_000)
  expect(announced).toEqual([['Robin']])
})

test('Those of a burst are told together, and a burst without an end is told in parts', () => {
  const { announced, add } = listen()
  for (let nth = 1; nth <= 5; nth += 1) {
    add([`caller ${nth}`])
    vi.advanceTimersByTime(300)
  }
  vi.advanceTimersByTime(1_500)
  expect(announced.map(({ length }) => length)).toEqual([5])
  for (let nth = 1; nth <= 20; nth += 1) {
    add([`robot ${nth}`])
    vi.advanceTimersByTime(1_000)
  }
  expect(announced.length).toBeGreaterThan(3)
})

test('What would push a way back aside waits for it', () => {
  const { announced, place, add } = listen()
  place.isFree = false
  add(['Robin'])
  vi.advanceTimersByTime(8_000)
  expect(announced).toEqual([])
  place.isFree = true
  vi.advanceTimersByTime(500)
  expect(announced).toEqual([['Robin']])
})

test('Nothing is told after the end', () => {
  const { announced, add, end } = listen()
  add(['Robin'])
  end()
  vi.advanceTimersByTime(10_000)
  expect(announced).toEqual([])
})
