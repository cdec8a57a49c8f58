import { describe, expect, test } from 'vitest'
import {
  customerFromSearch,
  parseVehicleLine,
  checkPhoneBookingForm,
  emptyPhoneBookingForm,
  isSamePhone,
} from './phone-booking-form.ts'

const maria = { ...emptyPhoneBookingForm, name: 'Maria Delgado', phone: '(650) 555-0167' }

describe('a caller (docs/product.md 12.2)', () => {
  test('is booked with a name and a phone number', () => {
    expect(checkPhoneBookingForm(maria, false)).toEqual({})
    expect(checkPhoneBookingForm({ ...maria, name: ' ', phone: '\t' }, false)).toEqual({
      name: 'Please enter a name.',
      phone: 'Please enter a phone number.',
    })
  })

  test('may leave an e-mail address, which then has to be one', () => {
    expect(checkPhoneBookingForm({ ...maria, email: 'maria@customer.example' }, false)).toEqual({})
    expect(checkPhoneBookingForm({ ...maria, email: 'maria' }, false)).toHaveProperty('email')
  })

  test('who gets no bay is booked for a reason', () => {
    expect(checkPhoneBookingForm(maria, true)).toEqual({ reason: 'Please say why.' })
    expect(checkPhoneBookingForm({ ...maria, reason: 'Tow truck' }, true)).toEqual({})
  })
})

describe('what was searched for', () => {
  test.each([
    ['del', { name: 'del', phone: '' }],
    ['650 555-01', { name: '', phone: '650 555-01' }],
    ['+1 (650) 555-0167', { name: '', phone: '+1 (650) 555-0167' }],
    ['7TRD118', { name: '7TRD118', phone: '' }],
  ])('%s goes where a new customer has it', (search, fields) => {
    expect(customerFromSearch(search)).toEqual(fields)
  })
})

describe('a car in one line', () => {
  test.each([
    ['2016 Honda Civic', '2016', 'Honda', 'Civic'],
    ['Ford F-150 Lightning', null, 'Ford', 'F-150 Lightning'],
    ['1967', '1967', null, null],
    ['', null, null, null],
  ])('%s has year, make and model', (line, year, make, model) => {
    expect(parseVehicleLine(line)).toEqual({
      vehicle_year: year,
      vehicle_make: make,
      vehicle_model: model,
    })
  })
})

describe('a phone number', () => {
  test('is the same however it was typed', () => {
    expect(isSamePhone('(650) 555-0142', '+1 650.555.0142')).toBe(true)
    expect(isSamePhone('(650) 555-0142', '(650) 555-0143')).toBe(false)
  })
  test('that is none is nobody’s', () => {
    expect(isSamePhone('', '')).toBe(false)
  })
})
