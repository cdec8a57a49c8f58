import { expect, test } from 'vitest'
import { timeAgo } from './time-ago.ts'

const now = new Date('2026-11-24T21:00:00Z')
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000)

test.each([
  [-5, 'just now'],
  [0, 'just now'],
  [1, '1 second ago'],
  [59, '59 seconds ago'],
  [60, '1 minute ago'],
  [3599, '59 minutes ago'],
  [7200, '2 hours ago'],
  [86_400, '1 day ago'],
])('an instant %i seconds ago is formatted as "%s"', (seconds, text) =>
  expect(timeAgo(before(seconds), now)).toBe(text),
)
