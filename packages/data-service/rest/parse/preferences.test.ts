import { expect, test } from 'vitest'
import { parsePreferences } from './preferences.ts'

test('what is known of a Prefer header is taken, the first of each kind', () => {
  expect(parsePreferences('return=minimal, count=exact, count=planned, foo=bar')).toEqual({
    return: 'minimal',
    count: 'exact',
  })
})

test.each(['__proto__=1', 'constructor=x', 'toString=exact', 'hasOwnProperty'])(
  'the name %s, which every object has, is an unknown preference',
  (header) => expect(parsePreferences(header)).toEqual({}),
)
