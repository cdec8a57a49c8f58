import { expect, test } from 'vitest'
import { invoiceAge, isPayable, pastDueText } from './invoice-age.ts'

const invoice = { state: 'open', createdAt: '2026-11-20T18:00:00Z', dueDate: '2026-11-27' }

test.each([
  ['2026-11-20', 'today'],
  ['2026-11-21', '1 day'],
  ['2026-12-02', '12 days'],
])('on %s the age of an invoice of November 20 is %s', (today, age) => {
  expect(invoiceAge(invoice, today)).toBe(age)
})

test('the age of an invoice counts dates in the shop time zone, not in UTC', () => {
  const late = { ...invoice, createdAt: '2026-11-21T05:00:00Z' }
  expect(invoiceAge(late, '2026-11-20')).toBe('today')
})

test.each([
  ['2026-11-27', undefined],
  ['2026-11-28', '1 day past due'],
  ['2026-12-14', '17 days past due'],
])('on %s an invoice that is due on November 27 is %s', (today, text) => {
  expect(pastDueText(invoice, today)).toBe(text)
})

test('an invoice that is paid, written off or has no due date is never past due', () => {
  expect(pastDueText({ ...invoice, state: 'paid' }, '2026-12-14')).toBeUndefined()
  expect(pastDueText({ ...invoice, state: 'written_off' }, '2026-12-14')).toBeUndefined()
  expect(pastDueText({ ...invoice, dueDate: null }, '2026-12-14')).toBeUndefined()
})

test('only invoices that are not paid and not void are payable', () => {
  const states = ['open', 'part_paid', 'paid', 'written_off', 'void']
  expect(states.filter((state) => isPayable({ state }))).toEqual([
    'open',
    'part_paid',
    'written_off',
  ])
})
