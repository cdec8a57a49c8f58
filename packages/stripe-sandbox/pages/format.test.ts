import { expect, it } from 'vitest'
import { formatDate, formatMoney } from './format.ts'

it('an instant is formatted as a date in the time zone of the account', () => {
  const seconds = Date.UTC(2026, 10, 21, 4) / 1000
  expect(formatDate(seconds, 'America/Los_Angeles')).toBe('November 20, 2026')
  expect(formatDate(seconds, 'UTC')).toBe('November 21, 2026')
})

it('cents are formatted as an amount in the given currency', () => {
  expect(formatMoney(54_950, 'usd')).toBe('$549.50')
})
