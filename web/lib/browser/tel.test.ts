import { expect, test } from 'vitest'
import { tel } from './tel.ts'

test.each([
  ['(650) 555-0199', 'tel:6505550199'],
  ['+1 650 555 0199', 'tel:+16505550199'],
  ['650-555-0199;phone-context=evil', 'tel:6505550199'],
])('the link of %s is %s', (number, link) => {
  expect(tel(number)).toBe(link)
})
