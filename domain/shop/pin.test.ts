import { expect, it } from 'vitest'
import { isGoodPin } from './pin.ts'

it.each(['2580', '1357', '1212', '90210', '135790', '0852'])('%s is accepted as a PIN', (pin) => {
  expect(isGoodPin(pin)).toBe(true)
})

it.each([
  ['too short', '258'],
  ['too long', '2580147'],
  ['empty', ''],
  ['all the same', '1111'],
  ['all the same', '000000'],
  ['upwards', '1234'],
  ['upwards', '345678'],
  ['downwards', '4321'],
  ['downwards', '3210'],
  ['not digits', '25a0'],
  ['with a space', '2580 '],
  ['digits of another script', '٢٥٨٠'],
])('a PIN that is %s is refused: %s', (_why, pin) => {
  expect(isGoodPin(pin)).toBe(false)
})
