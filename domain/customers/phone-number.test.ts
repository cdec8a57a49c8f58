import { describe, expect, it } from 'vitest'
import { parsePhone, phoneNumber } from './phone-number.ts'

describe('a phone number', () => {
  it('is shown as people here write it, and dialled from everywhere', () => {
    expect(phoneNumber('+16505550142')).toEqual({
      display: '(650) 555-0142',
      href: 'tel:+16505550142',
      e164: '+16505550142',
    })
  })

  it('of another country is shown as it is stored', () => {
    expect(phoneNumber('+493012345678').display).toBe('+493012345678')
  })

  it.each([
    ['(650) 555-0142', '+16505550142'],
    ['650.555.0142', '+16505550142'],
    ['1 650 555 0142', '+16505550142'],
    ['+1 (650) 555-0142', '+16505550142'],
    ['+49 30 12345678', '+493012345678'],
    ['555-0142', null],
    ['650 555 0142 ext. 3', null],
    ['+0 650 555 0142', null],
    ['+1234567', null],
    ['', null],
  ])('typed as %j is %j', (input, stored) => {
    expect(parsePhone(input)).toBe(stored)
  })

  it('shown and typed again is the same number', () => {
    for (const stored of ['+16505550142', '+493012345678']) {
      expect(parsePhone(phoneNumber(stored).display)).toBe(stored)
    }
  })
})
