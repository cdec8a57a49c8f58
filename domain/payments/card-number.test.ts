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

/** A random number generator with a seed, so that every run checks the same payment references. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

const random = seeded(2026)
const pick = (characters: string, count: number) =>
  Array.from({ length: count }, () => characters[Math.floor(random() * characters.length)]).join('')
const digits = (count: number) => pick('0123456789', count)
const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ'

/** References of payments as staff type them: check numbers, approval codes, license plates, phone numbers. */
const usual = [
  () => digits(4 + Math.floor(random() * 6)),
  () => `Visa ${digits(4)}, approval ${digits(6)}`,
  () => pick('23456789' + letters, 7),
  () => `(${digits(3)}) ${digits(3)}-${digits(4)}`,
  () => `+1 ${digits(3)} ${digits(3)} ${digits(4)}`,
]

const refused = (references: readonly string[]) => references.filter(containsCardNumber).length

test('none of 1,000 random payment references like those that staff enter counts as a card number', () => {
  const references = Array.from(
    { length: 1000 },
    (_, index) => usual[index % usual.length]?.() ?? '',
  )
  expect(refused(references)).toBe(0)
})

// Half of all numbers begin with 2 to 6, and a tenth of those pass the Luhn check: about 50 of 1,000.
test('exactly 54 of 1,000 random numbers of 16 digits, such as references of bank transfers, are mistaken for card numbers', () => {
  const numbers = Array.from({ length: 1000 }, () => digits(16))
  expect(refused(numbers)).toBe(54)
})
