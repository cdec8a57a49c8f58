import { expect, test } from 'vitest'
import { checkCorrection, type PaymentCorrection, startCorrection } from './payment-correction.ts'

const cashLine = { method: 'cash', amountCents: 20_000, reference: null } as const
const start = { ...startCorrection(cashLine), reason: 'Typed wrongly' }
const check = (changes: Partial<PaymentCorrection>, isMoved = false) =>
  checkCorrection({ ...start, ...changes }, cashLine, { maximumCents: 49_857, isMoved })

test('The form of a payment correction starts with the payment as it was recorded', () => {
  const line = { method: 'check', reference: '1042', amountCents: 123_456 } as const
  expect(startCorrection(line)).toEqual({
    method: 'check',
    amount: '1234.56',
    reference: '1042',
    reason: '',
  })
})

test('A payment correction without a change is refused', () => {
  expect(check({})).toEqual({
    ok: false,
    refusal: { method: 'Change the method, the amount or the reference.' },
  })
})

test('A payment that moves to another invoice can keep its method and its amount', () => {
  expect(check({}, true)).toEqual({
    ok: true,
    value: { method: 'cash', amountCents: 20_000, reference: null, reason: 'Typed wrongly' },
  })
})

test('Staff can correct the method and the amount of a payment', () => {
  expect(check({ method: 'check', reference: ' 1042 ', amount: '20' })).toEqual({
    ok: true,
    value: { method: 'check', amountCents: 2000, reference: '1042', reason: 'Typed wrongly' },
  })
})

test('A payment correction to cash has no reference', () => {
  const checked = check({ amount: '20', reference: 'left over from a check' })
  expect(checked.ok && checked.value.reference).toBeNull()
})

test('A payment correction requires a check number, an amount up to the maximum, and a reason', () => {
  expect(check({ method: 'check', amount: '498.58', reason: '' })).toEqual({
    ok: false,
    refusal: {
      amount: 'At most $498.57 can be paid.',
      reference: 'Enter the check number.',
      reason: 'Enter the reason.',
    },
  })
})
