import { expect, it } from 'vitest'
import { chooseEncoding } from './accept-encoding.ts'

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.000, gzip;q=0.5', 'gzip'],
  ['br; q=0.5', 'br'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['gzip;q=0, *;q=1', 'br'],
  ['identity', 'identity'],
])('Accept-Encoding: %s selects %s', (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding)
})
