import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from './search-text.ts'

test.each(['662E41', '0042', 'true', 'null', '"quoted"', '{"a":1}', 'a b&c=d'])(
  'keeps the value %s a string',
  (value) => {
    expect(parseSearch(stringifySearch({ value }))).toEqual({ value })
  },
)

test('leaves out parameters without a value', () => {
  expect(stringifySearch({ view: 'list', day: undefined })).toBe('?view=list')
  expect(stringifySearch({ day: undefined })).toBe('')
})
