import { describe, expect, test } from 'vitest'
import { checkBookingForm, type BookingForm } from './booking-form.ts'

const complete: BookingForm = {
  name: 'Dana Whitfield',
  email: 'dana@example.com',
  phone: '(650) 555-0167',
  notes: '',
  vehicleYear: '2019',
  vehicleMake: 'Subaru',
  vehicleModel: 'Outback',
  vehicleColor: '',
}
const choice = { serviceId: 'b1', date: '2026-11-28', time: '13:30' }
const early = new Date('2026-11-27T12:00:00Z')
const tooLate = new Date('2026-11-28T19:30:00.001Z')

const refusalOf = (change: Partial<BookingForm>, now = early) => {
  const checked = checkBookingForm({ ...complete, ...change }, choice, now)
  return checked.ok ? undefined : checked.refusal
}

describe('the booking form', () => {
  test.each([
    [{ name: '  ' }, 'Name Required', 'Please enter your full name.', ['name']],
    [{ email: '' }, 'Valid Email Required', 'Please enter a valid email address.', ['email']],
    [{ email: 'dana' }, 'Valid Email Required', 'Please enter a valid email address.', ['email']],
    [{ phone: ' ' }, 'Phone Number Required', 'Please enter your phone number.', ['phone']],
    [
      { vehicleYear: '', vehicleModel: '\t' },
      'Vehicle Details Required',
      'Please provide vehicle year, make, and model.',
      ['vehicleYear', 'vehicleModel'],
    ],
  ])(
    'shows the specified error title, message and invalid fields for a form with %j',
    (change, title, message, fields) => {
      expect(refusalOf(change)).toEqual({ title, message, fields })
    },
  )

  test('refuses a start that is nearer to the current time than the minimum notice', () => {
    expect(refusalOf({}, tooLate)).toEqual({
      title: 'Notice Required',
      message: 'Appointments must be booked at least 2 hours in advance.',
      fields: [],
    })
  })

  test('validates name, email, phone, vehicle and notice in this order', () => {
    const broken = { name: '', email: '', phone: '', vehicleMake: '' }
    const steps: [Partial<BookingForm>, string][] = [
      [broken, 'Name Required'],
      [{ ...broken, name: 'D' }, 'Valid Email Required'],
      [{ ...broken, name: 'D', email: '@' }, 'Phone Number Required'],
      [{ vehicleMake: '' }, 'Vehicle Details Required'],
      [{}, 'Notice Required'],
    ]
    expect(steps.map(([change]) => refusalOf(change, tooLate)?.title)).toEqual(
      steps.map(([, title]) => title),
    )
  })

  test("returns exactly the columns of a visitor's booking: texts trimmed, empty optional fields null", () => {
    expect(checkBookingForm({ ...complete, name: ' Dana Whitfield ' }, choice, early)).toEqual({
      ok: true,
      value: {
        service_id: 'b1',
        appointment_date: '2026-11-28',
        appointment_time: '13:30:00',
        customer_name: 'Dana Whitfield',
        customer_email: 'dana@example.com',
        customer_phone: '(650) 555-0167',
        notes: null,
        vehicle_year: '2019',
        vehicle_make: 'Subaru',
        vehicle_model: 'Outback',
        vehicle_color: null,
        status: 'confirmed',
      },
    })
  })

  test('replaces a tab in a single-line field by a space and keeps the line breaks of the notes', () => {
    const checked = checkBookingForm(
      { ...complete, name: 'Dana\tWhitfield', notes: 'one\ntwo\u0000' },
      choice,
      early,
    )
    expect(checked.ok && [checked.value.customer_name, checked.value.notes]).toEqual([
      'Dana Whitfield',
      'one\ntwo',
    ])
  })
})
