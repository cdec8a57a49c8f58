import { expect, test } from 'vitest'
import { priceFrom } from './price-from.ts'

test.each([
  [8900, 'from $89'],
  [8950, 'from $89.50'],
  [100_00, 'from $100'],
  [1_234_500, 'from $12,345'],
])('the lowest price of %i cents is formatted as %s', (cents, text) => {
  expect(priceFrom(cents)).toBe(text)
})
