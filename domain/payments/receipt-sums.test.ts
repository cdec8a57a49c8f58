import { expect, test } from 'vitest'
import { receiptSums } from './receipt-sums.ts'

const line = (id: string, cents: number, kind = 'payment', original: string | null = null) => ({
  id,
  kind,
  original_id: original,
  amount_cents: cents,
})
const cash = line('a', 20_000)
const terminal = line('b', 29_857)

test('the receipt of a part payment shows the open balance, also after later payments', () => {
  expect(receiptSums([cash, terminal], cash, 49_857)).toEqual({
    paidBeforeCents: 0,
    roundingCents: 0,
    balanceCents: 29_857,
  })
})

test('the receipt of the last payment shows what was paid before', () => {
  expect(receiptSums([cash, terminal], terminal, 49_857)).toEqual({
    paidBeforeCents: 20_000,
    roundingCents: 0,
    balanceCents: 0,
  })
})

test('cash rounding leaves no balance, and a later refund of the payment is no rounding', () => {
  const rounded = line('c', 49_855)
  const lines = [rounded, line('d', 2, 'cash_rounding', 'c'), line('e', -1, 'refund', 'c')]
  expect(receiptSums(lines, rounded, 49_857)).toEqual({
    paidBeforeCents: 0,
    roundingCents: 2,
    balanceCents: 0,
  })
})
