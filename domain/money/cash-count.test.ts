import { expect, it } from 'vitest'
import {
  denominationName,
  denominations,
  differenceText,
  parseCashCount,
  sumCashCount,
} from './cash-count.ts'
import { formatCents } from './format-cents.ts'

it('the cash count names bills in dollars and coins in cents', () => {
  expect(denominations.map(denominationName).join(' ')).toBe(
    '$100 $50 $20 $10 $5 $2 $1 50¢ 25¢ 10¢ 5¢ 1¢',
  )
})

it('the cash count adds up the counted bills and coins', () => {
  const typed = {
    10000: '2',
    5000: '1',
    2000: '9',
    1000: '4',
    500: '5',
    100: '17',
    50: '',
    25: '14',
    10: '4',
    5: '1',
    1: '0',
  }
  expect(sumCashCount(parseCashCount(typed))).toBe(51_595)
  expect(parseCashCount({ 50: '', 1: '0', 5: '1', 300: '7' })).toEqual({ 5: 1 })
  expect(sumCashCount({})).toBe(0)
})

it('the cash count describes its difference from the expected cash as short, over or matching', () => {
  expect(differenceText(-400, formatCents)).toBe('$4.00 short')
  expect(differenceText(5, formatCents)).toBe('$0.05 over')
  expect(differenceText(0, formatCents)).toBe('matches')
})
