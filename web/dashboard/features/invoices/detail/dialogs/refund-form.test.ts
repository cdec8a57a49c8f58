import { expect, test } from 'vitest'
import { sampleLine, terminalLine } from '#tests/support/invoices/sample-invoice.ts'
import {
  checkRefund,
  refundable,
  refundCents,
  type RefundForm,
  type RefundSource,
} from './refund-form.ts'

const form: RefundForm = {
  paymentId: terminalLine.id,
  scope: 'all',
  parts: [],
  amount: '',
  method: '',
  reference: '',
  reason: ' Slide pins covered by warranty ',
  receipt: 'email',
}
const part = (key: string, leftCents: number) => ({ key, title: key, leftCents, leftTaxCents: 0 })
const source: RefundSource = {
  payment: terminalLine,
  roundingCents: 0,
  parts: [part('pins', 8620), part('filter', 5568), part('brakes', 35_669)],
}
const check = (changes: Partial<RefundForm>, change: Partial<RefundSource> = {}) =>
  checkRefund({ ...form, ...changes }, { ...source, ...change })

test('A refund of the whole unrefunded amount uses the original payment method', () => {
  expect(check({}, { payment: { ...terminalLine, leftCents: 11_380 } })).toEqual({
    ok: true,
    value: {
      paymentId: terminalLine.id,
      amountCents: 11_380,
      partKeys: null,
      method: null,
      reference: null,
      reason: 'Slide pins covered by warranty',
      notifies: true,
    },
  })
})

test.each([
  ['', 'Enter an amount in dollars and cents, like 86.20.'],
  ['-5', 'Enter an amount in dollars and cents, like 86.20.'],
  ['0.001', 'Enter an amount in dollars and cents, like 86.20.'],
  ['1000000000000', 'Enter an amount in dollars and cents, like 86.20.'],
  ['0', 'Enter an amount above 0.'],
  ['298.58', 'Only $298.57 of this payment can still be refunded.'],
])('A refund refuses the amount %j', (amount, message) => {
  expect(check({ scope: 'sum', amount })).toEqual({ ok: false, refusal: { amount: message } })
})

test('A refund accepts a typed amount up to the unrefunded amount of the payment', () => {
  const checked = check({ scope: 'sum', amount: '$86.20' })
  expect(checked.ok && checked.value.amountCents).toBe(8620)
  expect(refundCents({ ...form, scope: 'sum', amount: '298.58' }, source)).toBeUndefined()
})

test('A refund of individual jobs contains the keys of the jobs and the sum of their prices', () => {
  const checked = check({ scope: 'parts', parts: ['pins', 'filter'] })
  expect(checked.ok && [checked.value.amountCents, checked.value.partKeys]).toEqual([
    14_188,
    ['pins', 'filter'],
  ])
})

test('A refund refuses jobs that cost more than the unrefunded amount of the payment, and a choice without jobs', () => {
  expect(check({ scope: 'parts', parts: ['brakes'] })).toEqual({
    ok: false,
    refusal: {
      parts: 'Only $298.57 of this payment can still be refunded. Refund your choice in two steps.',
    },
  })
  expect(check({ scope: 'parts' })).toEqual({
    ok: false,
    refusal: { parts: 'Choose at least one job or line.' },
  })
})

test('A refund of all jobs that a rounded cash payment covers returns the rounded amount', () => {
  const payment = sampleLine({ id: 'rounded', amountCents: 1005 })
  const rounded = { payment, roundingCents: -2, parts: [part('oil', 1003)] }
  const checked = check({ scope: 'parts', parts: ['oil'] }, rounded)
  expect(checked.ok && checked.value.amountCents).toBe(1005)
})

test.each([
  ['check', 'Enter the check number.'],
  ['other', 'Enter the refund method, like bank transfer.'],
  ['cash', 'Please enter why the refund does not use the original payment method.'],
] as const)('A refund by another method (%s) requires a reference', (method, message) => {
  expect(check({ method, reference: ' ' })).toEqual({ ok: false, refusal: { reference: message } })
  const checked = check({ method, reference: ' 2207 ' })
  expect(checked.ok && [checked.value.method, checked.value.reference]).toEqual([method, '2207'])
})

test('A refund requires a reason', () => {
  expect(check({ reason: ' ' })).toEqual({
    ok: false,
    refusal: { reason: 'Enter the reason, which the customer reads.' },
  })
})

test('A refund refuses a text with a card number', () => {
  expect(check({ method: 'other', reference: '4242 4242 4242 4242' })).toEqual({
    ok: false,
    refusal: { reference: 'This text looks like a card number. Remove the number.' },
  })
})

test('Only payments that are not fully refunded can be refunded', () => {
  const spent = sampleLine({ id: 'spent', leftCents: 0 })
  const reversal = sampleLine({ id: 'reversal', kind: 'reversal', leftCents: 0 })
  expect(refundable([spent, terminalLine, reversal])).toEqual([terminalLine])
})
