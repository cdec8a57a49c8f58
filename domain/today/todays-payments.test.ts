import { describe, expect, it } from 'vitest'
import { todaysPayments } from './todays-payments.ts'

const paid = { outcome: 'applied', currency: 'usd', payments: 3, cents: 49_800 }
const open = { customer_email: 'Dana@Customer.example', currency: 'usd', amountDue: 54_950 }
const dana = { customer_email: 'dana@customer.example', state: 'completed' }

describe('todaysPayments', () => {
  it('subtracts refunds from the payments received on the day', () => {
    const over = { outcome: 'overpaid', currency: 'usd', payments: 1, cents: 11_440 }
    const back = { outcome: 'refunded', currency: 'usd', payments: 1, cents: 9900 }
    expect(todaysPayments([paid, over, back], [], [])).toEqual({
      receivedCents: 61_240,
      payments: 4,
      toComeCents: 0,
      toCome: 0,
      expectedCents: 61_240,
    })
  })

  it('adds up the open invoices of today’s customers, each invoice once', () => {
    expect(todaysPayments([paid], [open], [dana, dana])).toMatchObject({
      toCome: 1,
      toComeCents: 54_950,
      expectedCents: 104_750,
    })
  })

  it.each([
    ['another customer', { ...dana, customer_email: 'kim@customer.example' }],
    ['a customer without an email address', { ...dana, customer_email: null }],
    ['a customer who did not come', { ...dana, state: 'no_show' }],
  ])('does not count the open invoices of %s', (_case, booking) => {
    expect(todaysPayments([], [open, { ...open, customer_email: null }], [booking])).toMatchObject({
      toCome: 0,
      expectedCents: 0,
    })
  })
})
