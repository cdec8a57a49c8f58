import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from './search-text.ts'

test.each(['662E41', '0042', 'true', 'null', '"quoted"', '{"a":1}', 'a b&c=d'])(
  'a search parameter of the URL with the value %s stays a string',
  (value) => {
    expect(parseSearch(stringifySearch({ value }))).toEqual({ value })
  },
)

test('search parameters without a value are omitted from the URL', () => {
  expect(stringifySearch({ view: 'list', day: undefined })).toBe('?view=list')
  expect(stringifySearch({ day: undefined })).toBe('')
})
