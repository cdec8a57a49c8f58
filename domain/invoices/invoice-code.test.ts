import { describe, expect, it } from 'vitest'
import { formatInvoiceCode, readInvoiceCode } from './invoice-code.ts'

const signs = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const randomCode = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => signs[byte % 32]).join('')

describe('the code of an invoice', () => {
  it('is unchanged after it is printed and read again, for 10,000 random codes', () => {
    for (let count = 0; count < 10_000; count += 1) {
      const code = randomCode()
      const printed = formatInvoiceCode(code)
      expect(printed).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/)
      expect(readInvoiceCode(printed)).toBe(code)
    }
  })

  it.each(['k7mt4rwx9bqz', ' K7MT 4RWX 9BQZ ', 'K7MT–4RWX–9BQZ'])(
    'is accepted when the customer types %j',
    (typed) => {
      expect(readInvoiceCode(typed)).toBe('K7MT4RWX9BQZ')
    },
  )

  it.each(['0', 'O', '1', 'I', 'Ü'])('is refused when it contains the character %s', (sign) => {
    expect(readInvoiceCode(`K7MT4RWX9BQ${sign}`)).toBeUndefined()
  })

  it.each(['', 'K7MT4RWX9BQ', 'K7MT4RWX9BQZZ'])(
    'is refused when it does not have twelve characters: %j',
    (typed) => {
      expect(readInvoiceCode(typed)).toBeUndefined()
    },
  )
})
