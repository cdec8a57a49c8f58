import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { batchAnnouncements } from './batch-announcements.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function listen() {
  const announced: string[][] = []
  const place = { isFree: true }
  const gathering = batchAnnouncements<string>(
    (all) => announced.push([...all]),
    () => place.isFree,
  )
  return { announced, place, ...gathering }
}

test('a single new record is announced within ten seconds, and only once', () => {
  const { announced, add } = listen()
  add(['Robin'])
  vi.advanceTimersByTime(10_000)
  expect(announced).toEqual([['Robin']])
})

test('one announcement covers records that arrive within seconds, and several announcements cover an endless stream of records', () => {
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

test('an announcement is delayed while a notification with an undo button is shown', () => {
  const { announced, place, add } = listen()
  place.isFree = false
  add(['Robin'])
  vi.advanceTimersByTime(8_000)
  expect(announced).toEqual([])
  place.isFree = true
  vi.advanceTimersByTime(500)
  expect(announced).toEqual([['Robin']])
})

test('a record that waits for its announcement is not announced after a call of `end`, which ends all announcements', () => {
  const { announced, add, end } = listen()
  add(['Robin'])
  end()
  vi.advanceTimersByTime(10_000)
  expect(announced).toEqual([])
})
