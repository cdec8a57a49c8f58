import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkQuoteForm,
  emptyQuoteForm,
  quoteServiceLabel,
  quoteServiceTypes,
  type QuoteForm,
} from './quote-form.ts'

const full: QuoteForm = {
  name: 'Dana Whitfield',
  email: 'dana@example.com',
  phone: '(650) 555-0167',
  vehicleYear: '2019',
  vehicleMake: 'Subaru',
  vehicleModel: 'Outback',
  serviceType: 'brake-service',
  description: 'Grinding from the front left.',
}

const refusalOf = (form: QuoteForm) => {
  const checked = checkQuoteForm(form)
  return checked.ok ? null : checked.refusal
}

describe('a quote form', () => {
  test('is converted to a row of quote_requests with trimmed values', () => {
    expect(checkQuoteForm({ ...full, name: '  Dana Whitfield ' })).toEqual({
      ok: true,
      value: {
        name: 'Dana Whitfield',
        email: 'dana@example.com',
        phone: '(650) 555-0167',
        vehicle_year: '2019',
        vehicle_make: 'Subaru',
        vehicle_model: 'Outback',
        service_type: 'brake-service',
        description: 'Grinding from the front left.',
        status: 'pending',
      },
    })
  })

  test('stores an empty phone and an empty service type as null', () => {
    const checked = checkQuoteForm({ ...full, phone: ' ', serviceType: '' })
    expect(checked).toMatchObject({ ok: true, value: { phone: null, service_type: null } })
  })

  test('accepts any text as the year of the vehicle', () => {
    expect(checkQuoteForm({ ...full, vehicleYear: 'about 1998' }).ok).toBe(true)
  })

  test('replaces control characters in single-line fields by spaces, and keeps the line breaks of the description', () => {
    const pasted = { name: 'Dana\tWhitfield', description: 'One.\nTwo.\u0000' }
    const checked = checkQuoteForm({ ...full, ...pasted })
    expect(checked).toMatchObject({
      value: { name: 'Dana Whitfield', description: 'One.\nTwo.' },
    })
  })

  test('reports every missing field of the customer and the description before missing fields of the vehicle', () => {
    expect(refusalOf(emptyQuoteForm)).toEqual({
      title: 'Error',
      message: 'Please fill in all required fields.',
      fields: ['name', 'email', 'description'],
    })
  })

  test('treats a field with only control characters as empty', () => {
    expect(refusalOf({ ...full, name: '\u0007' })?.fields).toEqual(['name'])
    expect(refusalOf({ ...full, vehicleYear: '\u001b ' })?.fields).toEqual(['vehicleYear'])
  })

  test('requires the vehicle only after the customer and the description are filled in', () => {
    expect(refusalOf({ ...full, vehicleMake: '  ', vehicleModel: '' })).toEqual({
      title: 'Vehicle Details Required',
      message: 'Please enter vehicle year, make, and model.',
      fields: ['vehicleMake', 'vehicleModel'],
    })
  })

  test('reports an email address without an @ only when all other fields are valid', () => {
    expect(refusalOf({ ...full, email: 'dana.example.com' })?.fields).toEqual(['email'])
    expect(refusalOf({ ...full, email: 'dana', vehicleYear: '' })?.title).toBe(
      'Vehicle Details Required',
    )
  })

  test('is accepted exactly when no required field is blank and the email address has an @', () => {
    const text = fc.constantFrom('', '  ', '\t', 'x', 'a@b')
    const form = fc.record<QuoteForm>({
      name: text,
      email: text,
      phone: text,
      vehicleYear: text,
      vehicleMake: text,
      vehicleModel: text,
      serviceType: text,
      description: text,
    })
    fc.assert(
      fc.property(form, (input) => {
        const required = [
          input.name,
          input.email,
          input.description,
          input.vehicleYear,
          input.vehicleMake,
          input.vehicleModel,
        ]
        const isComplete = required.every((value) => value.trim()) && input.email.includes('@')
        expect(checkQuoteForm(input).ok).toBe(isComplete)
      }),
    )
  })
})

test('the quote form offers nine service types with the specified stored values and labels', () => {
  expect(quoteServiceTypes.map(({ value, label }) => `${value} / ${label}`)).toEqual([
    'oil-change / Oil Change',
    'brake-service / Brake Service',
    'engine-repair / Engine Repair',
    'transmission / Transmission Service',
    'electrical / Electrical Issues',
    'ac-heating / A/C & Heating',
    'performance / Performance Upgrade',
    'diagnostic / Diagnostic',
    'other / Other',
  ])
})

test('quoteServiceLabel returns the label of a service type, or "Not specified" for null', () => {
  expect(quoteServiceLabel('ac-heating')).toBe('A/C & Heating')
  expect(quoteServiceLabel('something-else')).toBe('something-else')
  expect(quoteServiceLabel(null)).toBe('Not specified')
})
