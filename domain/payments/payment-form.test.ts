import { describe, expect, test } from 'vitest'
import { checkPayment, parseAmount, type PaymentForm } from './payment-form.ts'

const exact: PaymentForm = {
  method: 'cash',
  amount: '498.57',
  given: '',
  reference: '',
  note: '',
}
const payable = { balanceCents: 49_857, rounds: false }

const check = (change: Partial<PaymentForm>, to = payable) =>
  checkPayment({ ...exact, ...change }, to)
const refusal = (change: Partial<PaymentForm>, to = payable) => {
  const checked = check(change, to)
  return checked.ok ? undefined : checked.refusal
}

test.each([
  ['498.57', 49_857],
  ['$1,498.5', 149_850],
  ['500', 50_000],
  ['0.001', undefined],
  ['-5', undefined],
  ['five', undefined],
  ['', undefined],
  ['1000000000000', undefined],
])('parseAmount converts %j to %s cents, and an invalid amount to undefined', (text, cents) => {
  expect(parseAmount(text)).toBe(cents)
})

describe('a payment', () => {
  test('in cash for the exact amount is recorded without the cash that the customer handed over', () => {
    expect(check({})).toEqual({
      ok: true,
      value: { amountCents: 49_857, givenCents: null, reference: null, note: null },
    })
  })

  test('is recorded with the cash that the customer handed over, the reference and the note, all without surrounding spaces', () => {
    expect(check({ given: '500', note: ' For June ' })).toMatchObject({
      value: { givenCents: 50_000, note: 'For June' },
    })
    expect(check({ method: 'check', reference: ' 1042 ' })).toMatchObject({
      value: { reference: '1042' },
    })
  })

  test('in cash is recorded without the reference that staff typed for another method', () => {
    expect(check({ reference: '1042' })).toMatchObject({ value: { reference: null } })
  })

  test.each(['', '0.001', '-1', 'ten', '1000000000000'])('of %j is refused', (amount) => {
    expect(refusal({ amount })).toEqual({
      field: 'amount',
      message: 'Enter an amount in dollars and cents, like 498.57.',
    })
  })

  test('of $0.00 is refused', () => {
    expect(refusal({ amount: '0.00' })?.message).toBe('Enter an amount above 0.')
  })

  test('above the balance is refused; only the message about a cash payment states the change that the customer gets back', () => {
    expect(refusal({ amount: '500' })).toEqual({
      field: 'amount',
      message: 'The balance is $498.57. Enter 498.57 and give $1.43 change.',
    })
    expect(refusal({ amount: '500', method: 'card_terminal' })?.message).toBe(
      'The balance is $498.57. Enter 498.57 or less.',
    )
  })

  test('with less cash than its amount is refused with the missing amount', () => {
    expect(refusal({ given: '400' })).toEqual({
      field: 'given',
      message: '$98.57 is still missing.',
    })
    expect(refusal({ given: 'lots' })?.field).toBe('given')
  })

  test('with cash rounding is accepted for the rounded amount and refused for less', () => {
    const rounded = { ...payable, rounds: true }
    expect(check({ given: '498.55' }, rounded)).toMatchObject({ ok: true })
    expect(refusal({ given: '498.50' }, rounded)?.message).toBe('$0.05 is still missing.')
  })

  test.each([
    ['check', '', 'Enter the check number.'],
    ['other', ' ', 'Enter the payment method, like bank transfer.'],
    ['card_terminal', '441', 'Enter the last four digits only.'],
    [
      'card_terminal',
      '4242424242424242',
      'The text looked like a card number, so it was removed and not saved. Enter the last four digits only.',
    ],
    [
      'other',
      'card 4242 4242 4242 4242',
      'The text looked like a card number, so it was removed and not saved.',
    ],
  ] as const)('by %s with the reference %j is refused: %s', (method, reference, message) => {
    expect(refusal({ method, reference })).toEqual({ field: 'reference', message })
  })

  test('by card terminal does not need the last four digits of the card', () => {
    expect(check({ method: 'card_terminal' })).toMatchObject({ ok: true })
    expect(check({ method: 'card_terminal', reference: '4417' })).toMatchObject({ ok: true })
  })

  test('with a card number in its note is refused', () => {
    expect(refusal({ note: '4242424242424242' })?.field).toBe('note')
  })
})
