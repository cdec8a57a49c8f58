import { expect, test } from 'vitest'
import { rateLimitMessage } from './rate-limit-message.ts'

test.each([
  [0, '1 second'],
  [1, '1 second'],
  [2.4, '3 seconds'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [61, '2 minutes'],
  [3_480, '58 minutes'],
  [3_600, '60 minutes'],
  [7_140, '119 minutes'],
  [7_200, '2 hours'],
  [7_201, '3 hours'],
  [86_400, '24 hours'],
])(
  'the message of a rate limit states a delay of %d seconds as %s, rounded up to whole units',
  (seconds, text) => {
    expect(rateLimitMessage(seconds)).toBe(`Too many attempts. Please try again in ${text}.`)
  },
)
