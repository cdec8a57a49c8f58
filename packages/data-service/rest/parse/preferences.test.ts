import { expect, test } from 'vitest'
import { parsePreferences } from './preferences.ts'

test('parses the known preferences of a Prefer header; the first value of each name counts', () => {
  expect(parsePreferences('return=minimal, count=exact, count=planned, foo=bar')).toEqual({
    return: 'minimal',
    count: 'exact',
  })
})

test.each(['__proto__=1', 'constructor=x', 'toString=exact', 'hasOwnProperty'])(
  'ignores the preference %s, which is named like a property of every object',
  (header) => expect(parsePreferences(header)).toEqual({}),
)
