import { expect, test } from 'vitest'
import { containsCardNumber } from './card-number.ts'

test.each([
  '4242424242424242',
  '4242 4242 4242 4242',
  '4242-4242-4242-4242',
  'Visa 4000056655665556, signed',
  '5555555555554444',
  '2223003122003222',
  '378282246310005',
  '6011111111111117',
])('"%s" contains a card number', (text) => {
  expect(containsCardNumber(text)).toBe(true)
})

test.each([
  '',
  '4242',
  '4242424242424241',
  '9242424242424242',
  '42424242424242424242',
  'Check 1042 of November 27, 2026',
  'INV-2026-0148-KJ4R7Y',
  '(650) 555-0167',
])('"%s" contains no card number', (text) => {
  expect(containsCardNumber(text)).toBe(false)
})
