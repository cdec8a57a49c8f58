import { expect, test } from 'vitest'
import { parsePreferences } from './preferences.ts'

test('a Prefer header is parsed into the known preferences; if a name is repeated, the first value counts', () => {
  expect(parsePreferences('return=minimal, count=exact, count=planned, foo=bar')).toEqual({
    return: 'minimal',
    count: 'exact',
  })
})

test.each(['__proto__=1', 'constructor=x', 'toString=exact', 'hasOwnProperty'])(
  'the preference %s is ignored, although every JavaScript object has a property of that name',
  (header) => expect(parsePreferences(header)).toEqual({}),
)
