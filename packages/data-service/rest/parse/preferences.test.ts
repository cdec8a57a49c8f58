import { expect, test } from 'vitest'
import { parsePreferences } from './preferences.ts'

test('a Prefer header is parsed to its known preferences; for a repeated name the first value counts', () => {
  expect(parsePreferences('return=minimal, count=exact, count=planned, foo=bar')).toEqual({
    return: 'minimal',
    count: 'exact',
  })
})

test.each(['__proto__=1', 'constructor=x', 'toString=exact', 'hasOwnProperty'])(
  'the preference %s, named like a property of every object, is ignored',
  (header) => expect(parsePreferences(header)).toEqual({}),
)
