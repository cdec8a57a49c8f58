import { expect, test } from 'vitest'
import {
  checkInvoiceForm,
  emptyInvoiceForm,
  emptyLine,
  isOmitted,
  coerceLineQuantity,
  totalCents,
} from './invoice-form.ts'

const line = (description: string, amount: string, quantity = '1') => ({
  ...emptyLine(description),
  amount,
  quantity,
})
const filled = {
  ...emptyInvoiceForm(),
  email: ' sam@customer.example ',
  lines: [line('Front brake pads', '159.00', '2'), line('Labor', '142.5')],
}

test('the invoice form reports a missing email address before all other errors', () => {
  expect(checkInvoiceForm({ ...filled, email: '  ', lines: [] })).toMatchObject({
    refusal: { title: 'Missing Email', message: 'Customer email is required.', fields: ['email'] },
  })
})

test('the invoice form refuses an invoice without a valid line', () => {
  expect(checkInvoiceForm({ ...filled, lines: [line('', '5'), line('Labor', '0')] })).toMatchObject(
    {
      refusal: { title: 'Add Line Items', message: 'Please add at least one valid line item.' },
    },
  )
})

test('the invoice form sends valid lines with exact amounts and omits the others', () => {
  const checked = checkInvoiceForm({ ...filled, lines: [...filled.lines, line('No price', '')] })
  expect(checked).toMatchObject({
    value: {
      customer: { email: 'sam@customer.example' },
      lineItems: [
        { description: 'Front brake pads', amount: 159, quantity: 2 },
        { description: 'Labor', amount: 142.5, quantity: 1 },
      ],
      dueDays: 7,
      currency: 'usd',
    },
  })
})

test.each([
  ['0', 1],
  ['-4', 1],
  ['14.9', 14],
  ['soon', 7],
])('the invoice form changes the typed due days %s to %i', (dueDays, accepted) => {
  expect(checkInvoiceForm({ ...filled, dueDays })).toMatchObject({ value: { dueDays: accepted } })
})

test('the invoice form adds up the valid lines to the exact cent', () => {
  expect(totalCents(filled)).toBe(46_050)
  expect(totalCents({ ...filled, lines: [line('Bolt', '19.99', '3'), line('', '100')] })).toBe(
    5_997,
  )
})

test('the invoice form reports an incomplete line as omitted, but not an empty one', () => {
  expect(isOmitted(line('No price', ''))).toBe(true)
  expect(isOmitted(line('', '12'))).toBe(true)
  expect(isOmitted(emptyLine())).toBe(false)
  expect(isOmitted(line('Labor', '12'))).toBe(false)
})

test('the invoice form changes a quantity to a whole number of at least 1', () => {
  expect(coerceLineQuantity(line('Bolt', '1', '2.7')).quantity).toBe('2')
  expect(coerceLineQuantity(line('Bolt', '1', 'many')).quantity).toBe('1')
})
