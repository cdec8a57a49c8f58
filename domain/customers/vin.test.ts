import { describe, expect, test } from 'vitest'
import { cleanVin, isVin } from './vin.ts'

describe('a vehicle identification number', () => {
  test.each(['1M8GDM9AXKP042788', '11111111111111111', '5GZCZ43D13S812715'])(
    '%s has the right check digit',
    (vin) => expect(isVin(vin)).toBe(true),
  )

  test.each([
    ['1M8GDM9A1KP042788', 'its check digit is another'],
    ['1M8GDM9AXKP042787', 'one digit was typed wrongly'],
    ['1M8GDM9AXKP04278', 'one is missing'],
    ['1M8GDM9AXKPO42788', 'it has an O'],
    ['', 'it is empty'],
  ])('isVin refuses %j: %s', (vin) => expect(isVin(vin)).toBe(false))

  test('cleanVin removes spaces and hyphens and changes lower case to upper case', () => {
    expect(cleanVin(' 1m8 gdm9axkp-042788 ')).toBe('1M8GDM9AXKP042788')
  })
})
