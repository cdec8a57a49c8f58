import { describe, expect, test } from 'vitest'
import {
  customerFromSearch,
  parseVehicleLine,
  checkPhoneBookingForm,
  emptyPhoneBookingForm,
  isSamePhone,
} from './phone-booking-form.ts'

const maria = { ...emptyPhoneBookingForm, name: 'Maria Delgado', phone: '(650) 555-0167' }

describe('the form of a phone booking (docs/product.md 12.2)', () => {
  test('requires a name and a phone number', () => {
    expect(checkPhoneBookingForm(maria, false)).toEqual({})
    expect(checkPhoneBookingForm({ ...maria, name: ' ', phone: '\t' }, false)).toEqual({
      name: 'Please enter a name.',
      phone: 'Please enter a phone number.',
    })
  })

  test('accepts an empty email address and refuses an invalid email address', () => {
    expect(checkPhoneBookingForm({ ...maria, email: 'maria@customer.example' }, false)).toEqual({})
    expect(checkPhoneBookingForm({ ...maria, email: 'maria' }, false)).toHaveProperty('email')
  })

  test('requires a reason when no bay is free', () => {
    expect(checkPhoneBookingForm(maria, true)).toEqual({ reason: 'Please enter a reason.' })
    expect(checkPhoneBookingForm({ ...maria, reason: 'Tow truck' }, true)).toEqual({})
  })
})

describe('customerFromSearch', () => {
  test.each([
    ['del', { name: 'del', phone: '' }],
    ['650 555-01', { name: '', phone: '650 555-01' }],
    ['+1 (650) 555-0167', { name: '', phone: '+1 (650) 555-0167' }],
    ['7TRD118', { name: '7TRD118', phone: '' }],
  ])(
    'prefills the name or the phone number of a new customer from the search text %j',
    (search, fields) => {
      expect(customerFromSearch(search)).toEqual(fields)
    },
  )
})

describe('parseVehicleLine', () => {
  test.each([
    ['2016 Honda Civic', '2016', 'Honda', 'Civic'],
    ['Ford F-150 Lightning', null, 'Ford', 'F-150 Lightning'],
    ['1967', '1967', null, null],
    ['', null, null, null],
  ])('splits %j into year, make and model', (line, year, make, model) => {
    expect(parseVehicleLine(line)).toEqual({
      vehicle_year: year,
      vehicle_make: make,
      vehicle_model: model,
      plate: null,
    })
  })

  test.each([
    ['8ABC123', '8ABC123', null],
    ['8abc 123', '8ABC123', null],
    ['2016 Honda Civic 8ABC123', '8ABC123', 'Civic'],
    ['2016 Honda 8ABC 123', '8ABC123', null],
    ['2019 Subaru Outback plate 662E41', '662E41', 'Outback'],
    ['12345A1 2010 Ford Transit', '12345A1', 'Transit'],
    ['Toyota Camry ABC-1234', 'ABC-1234', 'Camry'],
  ])('recognizes the license plate in %j', (line, plate, model) => {
    expect(parseVehicleLine(line)).toMatchObject({ plate, vehicle_model: model })
  })

  test.each([
    ['2016 BMW X5', 'X5'],
    ['2015 Infiniti Q50', 'Q50'],
    ['Mercedes-Benz GLC300', 'GLC300'],
    ['Chevrolet Silverado 2500HD', 'Silverado 2500HD'],
    ['Ram 1500 4x4', '1500 4x4'],
    ['2018 Ford F-150', 'F-150'],
    ['Mazda CX-5 2020', 'CX-5 2020'],
    ['2012 Porsche 911', '911'],
    ['BMW 328i', '328i'],
  ])('does not mistake the model in %j for a license plate', (line, model) => {
    expect(parseVehicleLine(line)).toMatchObject({ plate: null, vehicle_model: model })
  })
})

describe('isSamePhone', () => {
  test('returns true for two spellings of the same phone number', () => {
    expect(isSamePhone('(650) 555-0142', '+1 650.555.0142')).toBe(true)
    expect(isSamePhone('(650) 555-0142', '(650) 555-0143')).toBe(false)
  })
  test('returns false for two empty phone numbers', () => {
    expect(isSamePhone('', '')).toBe(false)
  })
})
