import { describe, expect, it } from 'vitest'
import { parsePhone, phoneNumber } from './phone-number.ts'

describe('a phone number', () => {
  it('is displayed in the North American format and linked in E.164', () => {
    expect(phoneNumber('+16505550142')).toEqual({
      display: '(650) 555-0142',
      href: 'tel:+16505550142',
      e164: '+16505550142',
    })
  })

  it('of another country is displayed as stored', () => {
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
  ])('entered as %j is parsed as %j', (input, stored) => {
    expect(parsePhone(input)).toBe(stored)
  })

  it('is unchanged after it is formatted for display and parsed again', () => {
    for (const stored of ['+16505550142', '+493012345678']) {
      expect(parsePhone(phoneNumber(stored).display)).toBe(stored)
    }
  })
})
