import { bookingFieldLimits } from './booking-form.ts'
import { cleanLines, cleanLine } from '#domain/text/text-input.ts'
import type { Vehicle } from '#domain/customers/vehicle.ts'

/** What is typed while somebody is on the phone (docs/product.md 12.2). */
export type PhoneBookingForm = {
  name: string
  phone: string
  email: string
  /** Year, make and model in one line. */
  vehicle: string
  /** What they say. */
  notes: string
  /** Why there are more cars than bays; needed for no bay alone. */
  reason: string
}

export const emptyPhoneBookingForm: PhoneBookingForm = {
  name: '',
  phone: '',
  email: '',
  vehicle: '',
  notes: '',
  reason: '',
}

/** Longest values the database takes; the form's fields stop there. */
export const phoneBookingFieldLimits: Readonly<Record<keyof PhoneBookingForm, number>> = {
  name: bookingFieldLimits.name,
  phone: bookingFieldLimits.phone,
  email: bookingFieldLimits.email,
  vehicle: 120,
  notes: bookingFieldLimits.notes,
  reason: 300,
}

/** The fields that keep it from being booked, in their order, each with its words. */
export type PhoneBookingErrors = { readonly [Name in keyof PhoneBookingForm]?: string }

/** @param needsReason whether it would stand in no bay. */
export function checkPhoneBookingForm(
  form: PhoneBookingForm,
  needsReason: boolean,
): PhoneBookingErrors {
  const email = cleanLine(form.email)
  return {
    ...(cleanLine(form.name) === '' && { name: 'Please enter a name.' }),
    ...(cleanLine(form.phone) === '' && { phone: 'Please enter a phone number.' }),
    ...(needsReason && cleanLine(form.reason) === '' && { reason: 'Please say why.' }),
    ...(email !== '' &&
      !email.includes('@') && { email: 'Please enter an email address, or leave it empty.' }),
  }
}

/** The form as it is stored: one line each, notes as typed. */
export function normalizePhoneBookingForm(form: PhoneBookingForm): PhoneBookingForm {
  return {
    name: cleanLine(form.name),
    phone: cleanLine(form.phone),
    email: cleanLine(form.email),
    vehicle: cleanLine(form.vehicle),
    notes: cleanLines(form.notes),
    reason: cleanLine(form.reason),
  }
}

/** What was searched for, where a new customer has it: digits are a phone number, the rest a name. */
export function customerFromSearch(search: string): Pick<PhoneBookingForm, 'name' | 'phone'> {
  const text = cleanLine(search)
  return /^[+\d\s().\-/]+$/.test(text) ? { name: '', phone: text } : { name: text, phone: '' }
}

/** '2016 Honda Civic' in its columns: a year, the next word is the make, the rest the model. */
export function parseVehicleLine(line: string): Vehicle {
  const { year, rest } = splitYear(cleanLine(line))
  const [make = '', ...model] = rest.split(' ')
  const { vehicleMake, vehicleModel } = bookingFieldLimits
  return {
    vehicle_year: year,
    vehicle_make: make.slice(0, vehicleMake) || null,
    vehicle_model: model.join(' ').slice(0, vehicleModel) || null,
  }
}

function splitYear(line: string): { year: string | null; rest: string } {
  const [, year, rest = ''] = /^((?:19|20)\d\d)(?: (.*))?$/.exec(line) ?? []
  return year === undefined ? { year: null, rest: line } : { year: year, rest }
}

/** Whether two numbers are dialled alike, however they were typed: (650) 555-0142 is +1 650 555 0142. */
export function isSamePhone(one: string, other: string): boolean {
  const digits = (phone: string) => phone.replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
  return digits(one) !== '' && digits(one) === digits(other)
}
