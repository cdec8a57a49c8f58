import { assert, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  coerceDueDays,
  coerceQuantity,
  invoiceTotalCents,
  validInvoiceLines,
} from '#domain/invoices/invoice-lines.ts'
import { formatCents } from './format-cents.ts'
import { centsToDollars, maximumCents, parseCents } from './money.ts'

describe('decimal text', () => {
  test.each([
    ['19.99', 1999],
    ['0.1', 10],
    ['.5', 50],
    ['5.', 500],
    [' $1,234.50 ', 123_450],
    ['1.005', 101],
    ['1.004', 100],
    ['999999.99', maximumCents],
    [19.99, 1999],
    [0.1 + 0.2, 30],
    [8180, 818_000],
  ])('parses %j as %i cents', (text, cents) => {
    expect(parseCents(text)).toBe(cents)
  })

  test.each([
    '',
    '.',
    '-1',
    'abc',
    '1.2.3',
    '1e5',
    '1,23',
    '1000000.00',
    '99999999999999999999',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e21,
  ])('is refused as an amount of money: %j', (text) => {
    expect(parseCents(text)).toBeUndefined()
  })

  test('is unchanged after it is parsed to cents and formatted again', () => {
    assert(
      property(integer({ min: 0, max: maximumCents }), (cents) => {
        expect(parseCents(cents / 100)).toBe(cents)
        expect(parseCents(formatCents(cents))).toBe(cents)
      }),
    )
  })

  test('is formatted from cents in the US English format', () => {
    expect(formatCents(123_450)).toBe('$1,234.50')
    expect(formatCents(5, 'USD')).toBe('$0.05')
  })

  test('centsToDollars converts cents to a number of dollars that JSON transmits exactly', () => {
    expect([4999, 14_250, 31_800, 5, maximumCents].map(centsToDollars)).toEqual([
      49.99, 142.5, 318, 0.05, 999_999.99,
    ])
    assert(
      property(integer({ min: 0, max: maximumCents }), (cents) => {
        const sent = JSON.stringify(centsToDollars(cents))
        expect(sent).toMatch(/^\d+(\.\d\d?)?$/)
        expect(parseCents(sent)).toBe(cents)
      }),
    )
  })
})

describe('the input of an invoice', () => {
  test('loses each line whose description is missing or whose amount or quantity is missing or not above 0', () => {
    const lines = [
      { description: ' Pads ', amount: '19.99', quantity: '3' },
      { description: '  ', amount: '10', quantity: 1 },
      { description: 'Free', amount: '0.00', quantity: 1 },
      { description: 'Words', amount: 'ten', quantity: 1 },
      { description: 'None', amount: '10', quantity: '0' },
      { description: 'Less', amount: '10', quantity: -2 },
      { amount: null },
    ]
    expect(validInvoiceLines(lines)).toEqual([
      { description: 'Pads', amountCents: 1999, quantity: 3 },
    ])
  })

  test('has a total in whole cents', () => {
    const lines = [
      { description: 'A', amount: '19.99', quantity: 3 },
      { description: 'B', amount: 0.1, quantity: 1 },
      { description: 'C', amount: 0.2, quantity: 1 },
    ]
    expect(invoiceTotalCents(validInvoiceLines(lines))).toBe(5997 + 30)
  })

  test('has quantities that are rounded to whole numbers of at least 1', () => {
    expect(['2.9', '', '-3', 'x', null, 4, '0.5'].map(coerceQuantity)).toEqual([
      2, 1, 1, 1, 1, 4, 1,
    ])
  })

  test('makes the invoice due in at least 1 day, and in 7 days when the entered text is not a number of days', () => {
    expect(['0', '14', '', 'soon', undefined, 1.5].map(coerceDueDays)).toEqual([1, 14, 7, 7, 7, 1])
  })
})
