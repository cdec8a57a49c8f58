import { expect, test } from 'vitest'
import { laterPayment } from './later-payment.ts'

const cash = { kind: 'payment', amount_cents: 20_000 }
const card = { kind: 'payment', amount_cents: 9857 }
const refund = { kind: 'refund', amount_cents: -9857 }

test('a payment after the seen amount is the later one, and the newest of several', () => {
  expect(laterPayment([cash], 0)).toBe(cash)
  expect(laterPayment([cash, card], 20_000)).toBe(card)
  expect(laterPayment([cash, card], 0)).toBe(card)
})

test('no payment is later while the paid amount is the seen one', () => {
  expect(laterPayment([], 0)).toBeUndefined()
  expect(laterPayment([cash], 20_000)).toBeUndefined()
  expect(laterPayment([cash, card, refund], 20_000)).toBeUndefined()
})

test('lines that never had the seen amount name no payment', () => {
  expect(laterPayment([cash], 500)).toBeUndefined()
})
