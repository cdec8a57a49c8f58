import { assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { cashDueCents, quickSums } from './cash.ts'

test.each([
  [49_857, [50_000, 52_000, 60_000]],
  [23_175, [23_500, 24_000, 30_000]],
  [430, [500, 2000, 10_000]],
  [10_000, [10_500, 12_000, 20_000]],
])('the suggested cash amounts for %i cents are %j', (due, sums) => {
  expect(quickSums(due)).toEqual(sums)
})

test('the suggested cash amounts are in ascending order and above the amount due, for any amount due', () => {
  assert(
    property(integer({ min: 1, max: 99_999_999 }), (due) => {
      const sums = [due, ...quickSums(due)]
      expect(sums.toSorted((a, b) => a - b)).toEqual(sums)
      expect(new Set(sums).size).toBe(4)
    }),
  )
})

test.each([
  [49_856, 49_855],
  [49_857, 49_855],
  [49_858, 49_860],
  [49_859, 49_860],
  [49_860, 49_860],
  [2, 2],
  [3, 5],
])('with cash rounding, a balance of %i cents is settled by %i cents in cash', (cents, due) => {
  expect(cashDueCents({ amountCents: cents, balanceCents: cents, rounds: true })).toBe(due)
})

test('a partial payment is not rounded, and neither is any payment when cash rounding is off', () => {
  expect(cashDueCents({ amountCents: 101, balanceCents: 500, rounds: true })).toBe(101)
  expect(cashDueCents({ amountCents: 101, balanceCents: 101, rounds: false })).toBe(101)
})
