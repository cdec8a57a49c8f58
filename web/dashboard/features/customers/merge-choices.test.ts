import { describe, expect, test } from 'vitest'
import type { CustomerRecord } from '#contracts/customers.ts'
import { firstChoice, mergedContact, mergedCounts, mergeRows } from './merge-choices.ts'

const maria: CustomerRecord = {
  id: 'maria',
  version: 1,
  name: 'Maria Delgado',
  email: 'maria@customer.example',
  phone: '(650) 555-0167',
  since: '2024-03-09T20:00:00Z',
  getsReminders: true,
  contacts: [],
  unconfirmedEmails: [],
  vehicles: [],
  bookings: [],
  quotes: [],
  estimates: [],
  invoices: [],
  tasks: [],
  notes: [],
  totals: {
    bookings: 0,
    noShows: 0,
    ahead: 0,
    lastBookingDate: null,
    emails: 0,
    paidCents: 0,
    openCents: 0,
    openEstimates: 0,
  },
  maybeSame: [],
  merges: [],
}

const vehicle = (id: string, model: string) => ({
  id,
  version: 1,
  customerId: 'maria',
  year: '2019',
  make: 'Subaru',
  model,
  color: null,
  plate: null,
  vin: null,
  note: null,
  miles: null,
  milesOn: null,
})

describe('the merge of two customers', () => {
  test('offers a choice only for fields in which the two customers differ', () => {
    const other = {
      ...maria,
      name: 'Maria Delgato',
      email: 'MARIA@customer.example',
      phone: '+1 650 555 0167',
    }
    expect(mergeRows(maria, other).map(({ field, isSame }) => [field, isSame])).toEqual([
      ['name', false],
      ['phone', true],
      ['email', true],
    ])
  })

  test('uses the value of a field that only one of the customers has', () => {
    const [, phone, email] = mergeRows({ ...maria, phone: null }, { ...maria, email: null })
    expect(phone).toMatchObject({ isSame: true, survivor: '(650) 555-0167' })
    expect(email).toMatchObject({ isSame: true, survivor: 'maria@customer.example' })
  })

  test('previews the merged contact details', () => {
    const other = { ...maria, name: 'Maria Delgato', email: 'm.d@customer.example' }
    const rows = mergeRows(maria, other)
    expect(mergedContact(rows, new Set())).toBe(
      'Maria Delgado, (650) 555-0167, maria@customer.example',
    )
    expect(mergedContact(rows, new Set(['email']))).toBe(
      'Maria Delgado, (650) 555-0167, m.d@customer.example',
    )
  })

  test('counts a vehicle of both customers once', () => {
    const one = { ...maria, vehicles: [vehicle('1', 'Outback')] }
    const other = { ...maria, vehicles: [vehicle('2', 'OUTBACK'), vehicle('3', 'Forester')] }
    expect(mergedCounts(one, other)).toBe('2 vehicles.')
  })
})

describe('the merge of customers with an email address that was only entered online', () => {
  const input: CustomerRecord = {
    ...maria,
    email: 'Mallory@stranger.example',
    contacts: [
      { id: 1, kind: 'email', value: 'mallory@stranger.example', isConfirmed: false },
      { id: 2, kind: 'phone', value: '(650) 555-0167', isConfirmed: true },
    ],
  }
  const without: CustomerRecord = { ...maria, email: null }

  test.each([
    ['the duplicate', without, input],
    ['the customer that remains', input, without],
  ])('uses the email address of %s only when staff choose it', (_case, survivor, duplicate) => {
    const rows = mergeRows(survivor, duplicate)
    expect(rows.find(({ field }) => field === 'email')).toMatchObject({
      survivor: survivor.email ?? '',
      duplicate: duplicate.email ?? '',
      isSame: false,
    })
    expect(mergedContact(rows, firstChoice(survivor, duplicate))).not.toContain('stranger')
  })

  test('uses the email address without a choice once the customer or staff have confirmed it', () => {
    const rows = mergeRows(without, maria)
    expect(rows.find(({ field }) => field === 'email')).toMatchObject({ isSame: true })
    expect(mergedContact(rows, firstChoice(without, maria))).toContain('maria@customer.example')
  })
})
