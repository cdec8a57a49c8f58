import { expect, test } from 'vitest'
import { sampleLine, terminalLine } from '#tests/support/invoices/sample-invoice.ts'
import { checkRefund, refundable, refundCents, type RefundForm } from './refund-form.ts'

const form: RefundForm = {
  paymentId: terminalLine.id,
  isAll: true,
  amount: '',
  method: '',
  reference: '',
  reason: ' Slide pins covered by warranty ',
  notifies: true,
}
const check = (changes: Partial<RefundForm>, line = terminalLine) =>
  checkRefund({ ...form, ...changes }, line)

test('Everything that a payment has left goes back the way it came', () => {
  expect(check({}, { ...terminalLine, leftCents: 11_380 })).toEqual({
    ok: true,
    value: {
      paymentId: terminalLine.id,
      amountCents: 11_380,
      method: null,
      reference: null,
      reason: 'Slide pins covered by warranty',
      notifies: true,
    },
  })
})

test.each([
  ['', 'Enter a sum in dollars and cents, like 86.20.'],
  ['-5', 'Enter a sum in dollars and cents, like 86.20.'],
  ['0.001', 'Enter a sum in dollars and cents, like 86.20.'],
  ['1000000000000', 'Enter a sum in dollars and cents, like 86.20.'],
  ['0', 'Enter a sum above 0.'],
  ['298.58', 'This payment has $298.57 left to refund.'],
])('The sum %j is refused', (amount, message) => {
  expect(check({ isAll: false, amount })).toEqual({ ok: false, refusal: { amount: message } })
})

test('Another sum up to what the payment has left goes back', () => {
  const checked = check({ isAll: false, amount: '$86.20' })
  expect(checked.ok && checked.value.amountCents).toBe(8620)
  expect(refundCents({ ...form, isAll: false, amount: '298.58' }, terminalLine)).toBeUndefined()
})

test.each([
  ['check', 'Enter the check number.'],
  ['other', 'Enter how it goes back, like bank transfer.'],
  ['cash', 'Please say why it goes back another way.'],
] as const)('Another way, %s, needs its reference', (method, message) => {
  expect(check({ method, reference: ' ' })).toEqual({ ok: false, refusal: { reference: message } })
  const checked = check({ method, reference: ' 2207 ' })
  expect(checked.ok && [checked.value.method, checked.value.reference]).toEqual([method, '2207'])
})

test('A refund needs its reason', () => {
  expect(check({ reason: ' ' })).toEqual({
    ok: false,
    refusal: { reason: 'Enter the reason. The customer reads it.' },
  })
})

test('A card number in a text is refused', () => {
  expect(check({ method: 'other', reference: '4242 4242 4242 4242' })).toEqual({
    ok: false,
    refusal: { reference: 'This looks like a card number. Remove it.' },
  })
})

test('Only payments with something left can be refunded', () => {
  const spent = sampleLine({ id: 'spent', leftCents: 0 })
  const reversal = sampleLine({ id: 'reversal', kind: 'reversal', leftCents: 0 })
  expect(refundable([spent, terminalLine, reversal])).toEqual([terminalLine])
})
