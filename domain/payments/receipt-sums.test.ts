import { expect, test } from 'vitest'
import { receiptSums } from './receipt-sums.ts'

/** Creates a ledger line that was recorded at the given minute. */
const line = (
  id: string,
  cents: number,
  minute: number,
  { kind = 'payment', original = null }: { kind?: string; original?: string | null } = {},
) => {
  const at = `2026-11-28T01:${String(minute).padStart(2, '0')}:00Z`
  return { id, kind, original_id: original, amount_cents: cents, paid_at: at, recorded_at: at }
}
const invoice = { totalCents: 49_857, reductions: [] }
const cash = line('a', 20_000, 10)
const terminal = line('b', 29_857, 20)

test('the receipt of a partial payment shows the balance at that time, also after later payments', () => {
  expect(receiptSums([cash, terminal], cash, invoice)).toEqual({
    paidBeforeCents: 0,
    roundingCents: 0,
    balanceCents: 29_857,
  })
})

test('the receipt of the last payment shows the sum of the earlier payments', () => {
  expect(receiptSums([cash, terminal], terminal, invoice)).toEqual({
    paidBeforeCents: 20_000,
    roundingCents: 0,
    balanceCents: 0,
  })
})

test('the receipt of a rounded cash payment shows no balance, also after a refund has reversed the rounding', () => {
  const rounded = line('c', 49_855, 10)
  const lines = [
    rounded,
    line('d', 2, 10, { kind: 'cash_rounding', original: 'c' }),
    line('e', -49_855, 30, { kind: 'refund', original: 'c' }),
    line('f', -2, 30, { kind: 'cash_rounding', original: 'c' }),
  ]
  expect(receiptSums(lines, rounded, invoice)).toEqual({
    paidBeforeCents: 0,
    roundingCents: 2,
    balanceCents: 0,
  })
})

test('the receipt of a corrected payment does not count the incorrect payment that the correction replaced', () => {
  const right = line('c', 29_000, 20)
  const reversal = line('d', -20_000, 20, { kind: 'reversal', original: 'a' })
  expect(receiptSums([cash, right, reversal], right, invoice)).toEqual({
    paidBeforeCents: 0,
    roundingCents: 0,
    balanceCents: 20_857,
  })
})

test('a price correction before the payment lowers the balance on the receipt; a credit note after the payment does not', () => {
  const reductions = [
    { cents: 9857, at: '2026-11-28T01:05:00Z' },
    { cents: 20_000, at: '2026-11-28T01:30:00Z' },
  ]
  expect(receiptSums([cash], cash, { totalCents: 49_857, reductions })).toMatchObject({
    balanceCents: 20_000,
  })
})
