import { expect, test } from 'vitest'
import { formatUnitPrice, parseUnitPrice, parseQuantity } from './parse-cell.ts'

const labor = { kind: 'labor', subtype: '' } as const
const part = { kind: 'part', subtype: 'new' } as const
const off = { kind: 'discount', subtype: 'amount' } as const
const percent = { kind: 'discount', subtype: 'percent' } as const

const value = (read: ReturnType<typeof parseUnitPrice>) => (read.ok ? read.value : read.refusal)

test('a cell of the estimate form parses hours and quantities to a thousandth', () => {
  const read = (input: string) => value(parseQuantity(input, labor))
  expect(read('0.335')).toBe(335)
  expect(read(' 1.2 ')).toBe(1200)
  expect(read('.5')).toBe(500)
  expect(read('9999.999')).toBe(9_999_999)
  expect(read('')).toBe(0)
})

test('a cell of the estimate form refuses an invalid number of hours with a message', () => {
  const message = 'Hours are a number of 0 or more with up to three decimals, for example 1.25.'
  for (const input of ['1.2345', '-1', '1,5', 'one', '1e3', '١']) {
    expect(value(parseQuantity(input, labor))).toBe(message)
  }
  expect(value(parseQuantity('10000', part))).toBe('The quantity can be at most 9,999.999.')
})

test('a cell of the estimate form refuses a percentage above 100', () => {
  expect(value(parseQuantity('100 %', percent))).toBe(100_000)
  expect(value(parseQuantity('100.001', percent))).toBe('A discount is at most 100%.')
  expect(value(parseQuantity('ten', percent))).toBe(
    'Enter a percentage from 0 to 100, for example 10 or 7.5.',
  )
})

test('a cell of the estimate form parses a price in different notations as whole cents', () => {
  const read = (input: string) => value(parseUnitPrice(input, part))
  expect(read('164.95')).toBe(16_495)
  expect(read('$1,234.5')).toBe(123_450)
  expect(read('.07')).toBe(7)
  expect(read('12.')).toBe(1200)
  expect(read('')).toBe(0)
  expect(read('999999.99')).toBe(99_999_999)
})

test('a cell of the estimate form refuses a fraction of a cent instead of rounding it', () => {
  expect(value(parseUnitPrice('815.955', part))).toBe(
    'Enter whole cents: 815.955 has a fraction of a cent.',
  )
  expect(value(parseUnitPrice('0.001', part))).toBe(
    'Enter whole cents: 0.001 has a fraction of a cent.',
  )
})

test('a cell of the estimate form accepts a minus sign only for a discount', () => {
  expect(value(parseUnitPrice('-15', part))).toBe(
    'Enter an amount of 0 or more. Use a discount to lower the price.',
  )
  expect(value(parseUnitPrice('−15.00', off))).toBe(1500)
  expect(value(parseUnitPrice('- $15', off))).toBe(1500)
  expect(value(parseUnitPrice('15', off))).toBe(1500)
})

test('a cell of the estimate form refuses an invalid amount', () => {
  for (const input of ['abc', '.', '1.2.3', '--1', '1e2']) {
    expect(value(parseUnitPrice(input, off))).toBe(
      'Enter an amount in dollars and cents, for example 68.49.',
    )
  }
  expect(value(parseUnitPrice('1000000', part))).toBe('The amount can be at most $999,999.99.')
  expect(value(parseUnitPrice('9'.repeat(400), part))).toBe(
    'The amount can be at most $999,999.99.',
  )
})

test('a cell of the estimate form shows a price in cents as a decimal number, such as 145.00', () => {
  expect([0, 7, 14_500, 99_999_999].map(formatUnitPrice)).toEqual([
    '0.00',
    '0.07',
    '145.00',
    '999999.99',
  ])
})
