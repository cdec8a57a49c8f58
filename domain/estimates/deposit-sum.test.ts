import { expect, it } from 'vitest'
import { depositCents } from './deposit-sum.ts'

it.each([
  ['a fixed amount', { amountCents: 15_000, sharePercent: null }, 41_237, 15_000],
  [
    'a fixed amount above the approved amount',
    { amountCents: 15_000, sharePercent: null },
    9_900,
    9_900,
  ],
  ['a percentage', { amountCents: null, sharePercent: 30 }, 41_237, 12_371],
  ['a percentage that ends in half a cent', { amountCents: null, sharePercent: 30 }, 29_295, 8_789],
  ['100 percent', { amountCents: null, sharePercent: 100 }, 1, 1],
  ['nothing', { amountCents: null, sharePercent: null }, 41_237, 0],
])('the deposit of %s is exact to the cent', (_what, asked, approved, cents) => {
  expect(depositCents(asked, approved)).toBe(cents)
})
