import { expect, test } from 'vitest'
import { laterPayment } from './later-payment.ts'

const cash = { kind: 'payment', amount_cents: 20_000 }
const card = { kind: 'payment', amount_cents: 9857 }
const refund = { kind: 'refund', amount_cents: -9857 }

test('laterPayment returns the newest payment that was recorded after the employee saw the paid amount', () => {
  expect(laterPayment([cash], 0)).toBe(cash)
  expect(laterPayment([cash, card], 20_000)).toBe(card)
  expect(laterPayment([cash, card], 0)).toBe(card)
})

test('laterPayment returns nothing when the paid amount equals the amount that the employee saw', () => {
  expect(laterPayment([], 0)).toBeUndefined()
  expect(laterPayment([cash], 20_000)).toBeUndefined()
  expect(laterPayment([cash, card, refund], 20_000)).toBeUndefined()
})

test('laterPayment returns nothing when the payments never added up to the amount that the employee saw', () => {
  expect(laterPayment([cash], 500)).toBeUndefined()
})
