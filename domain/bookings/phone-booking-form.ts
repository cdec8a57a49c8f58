import { bookingFieldLimits } from './booking-form.ts'
import { cleanLines, cleanLine } from '#domain/text/text-input.ts'
import { splitPlate } from '#domain/customers/license-plate.ts'
import type { Vehicle } from '#domain/customers/vehicle.ts'

/** The input of an employee who books an appointment during a phone call (docs/product.md 12.2). */
export type PhoneBookingForm = {
  name: string
  phone: string
  email: string
  /** The vehicle's year, make and model in one line. */
  vehicle: string
  /** The customer's description of the problem. */
  notes: string
  /** The reason for booking the appointment although no bay is free; empty when a bay is free. */
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

/** The maximum length of each field in characters, as in the database. The form sets this length as `maxlength`. */
export const phoneBookingFieldLimits: Readonly<Record<keyof PhoneBookingForm, number>> = {
  name: bookingFieldLimits.name,
  phone: bookingFieldLimits.phone,
  email: bookingFieldLimits.email,
  vehicle: 120,
  notes: bookingFieldLimits.notes,
  reason: 300,
}

/** The error message of each invalid field, in the order of the fields. */
export type PhoneBookingErrors = { readonly [Name in keyof PhoneBookingForm]?: string }

/** @param needsReason true when no bay is free at the chosen time, which makes the field `reason` required. */
export function checkPhoneBookingForm(
  form: PhoneBookingForm,
  needsReason: boolean,
): PhoneBookingErrors {
  const email = cleanLine(form.email)
  return {
    ...(cleanLine(form.name) === '' && { name: 'Please enter a name.' }),
    ...(cleanLine(form.phone) === '' && { phone: 'Please enter a phone number.' }),
    ...(needsReason && cleanLine(form.reason) === '' && { reason: 'Please enter a reason.' }),
    ...(email !== '' &&
      !email.includes('@') && { email: 'Please enter an email address, or leave it empty.' }),
  }
}

/**
 * The values of the form as they are stored: single-line fields without line breaks and control characters, notes with
 * their line breaks.
 */
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

/**
 * Prefills the form for a new customer from the search text: digits become the phone number, any other text becomes
 * the name.
 */
export function customerFromSearch(search: string): Pick<PhoneBookingForm, 'name' | 'phone'> {
  const text = cleanLine(search)
  return /^[+\d\s().\-/]+$/.test(text) ? { name: '', phone: text } : { name: text, phone: '' }
}

/**
 * A vehicle and its license plate, read from the line that staff typed; `plate` is null when the line contains no
 * license plate.
 */
export type TypedVehicle = Vehicle & { readonly plate: string | null }

/**
 * Splits '2016 Honda Civic 8ABC123' into the vehicle columns and the license plate: the year is first, the next word is
 * the make, the rest is the model. The model never contains the license plate.
 */
export function parseVehicleLine(line: string): TypedVehicle {
  const { plate, rest: described } = splitPlate(cleanLine(line))
  const { year, rest } = splitYear(described)
  const [make = '', ...model] = rest.split(' ')
  const { vehicleMake, vehicleModel } = bookingFieldLimits
  return {
    vehicle_year: year,
    vehicle_make: make.slice(0, vehicleMake) || null,
    vehicle_model: model.join(' ').slice(0, vehicleModel) || null,
    plate,
  }
}

function splitYear(line: string): { year: string | null; rest: string } {
  const [, year, rest = ''] = /^((?:19|20)\d\d)(?: (.*))?$/.exec(line) ?? []
  return year === undefined ? { year: null, rest: line } : { year: year, rest }
}

/** Returns whether two spellings are the same phone number, for example (650) 555-0142 and +1 650 555 0142. */
export function isSamePhone(one: string, other: string): boolean {
  const digits = (phone: string) => phone.replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
  return digits(one) !== '' && digits(one) === digits(other)
}
