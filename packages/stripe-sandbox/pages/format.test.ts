import { expect, it } from 'vitest'
import { formatDate, formatMoney } from './format.ts'

it('formats an instant as the date in the time zone of the account', () => {
  const seconds = Date.UTC(2026, 10, 21, 4) / 1000
  expect(formatDate(seconds, 'America/Los_Angeles')).toBe('November 20, 2026')
  expect(formatDate(seconds, 'UTC')).toBe('November 21, 2026')
})

it('formats cents as an amount of the currency', () => {
  expect(formatMoney(54_950, 'usd')).toBe('$549.50')
})
