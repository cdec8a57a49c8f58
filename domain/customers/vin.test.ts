import { describe, expect, test } from 'vitest'
import { cleanVin, isVin } from './vin.ts'

describe('a vehicle identification number', () => {
  test.each(['1M8GDM9AXKP042788', '11111111111111111', '5GZCZ43D13S812715'])(
    '%s is valid, because its check digit is correct',
    (vin) => expect(isVin(vin)).toBe(true),
  )

  test.each([
    ['1M8GDM9A1KP042788', 'its check digit is wrong'],
    ['1M8GDM9AXKP042787', 'its last digit is wrong'],
    ['1M8GDM9AXKP04278', 'the last character is missing'],
    ['1M8GDM9AXKPO42788', 'it contains the letter O'],
    ['', 'it is empty'],
  ])('%j is invalid: %s', (vin) => expect(isVin(vin)).toBe(false))

  test('is cleaned of spaces and hyphens and changed to upper case', () => {
    expect(cleanVin(' 1m8 gdm9axkp-042788 ')).toBe('1M8GDM9AXKP042788')
  })
})
