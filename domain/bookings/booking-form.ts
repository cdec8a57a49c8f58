import { hasMinimumNotice } from './booking-notice.ts'
import type { BookingRules } from './booking-rules.ts'
import { storedTime } from '#domain/calendar/clock-time.ts'
import { formatDuration } from '#domain/text/duration-text.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { defaultCalendar, type ShopCalendar } from '#domain/calendar/shop-calendar.ts'
import { cleanLines, cleanLine, emptyToNull } from '#domain/text/text-input.ts'

/** The visitor's input in step 3 of the booking form, before trimming and validation (docs/product.md 3.2). */
export type BookingForm = {
  name: string
  email: string
  phone: string
  notes: string
  vehicleYear: string
  vehicleMake: string
  vehicleModel: string
  vehicleColor: string
}

export type BookingField = keyof BookingForm

export const emptyBookingForm: BookingForm = {
  name: '',
  email: '',
  phone: '',
  notes: '',
  vehicleYear: '',
  vehicleMake: '',
  vehicleModel: '',
  vehicleColor: '',
}

/**
 * The service, the date and the time that the visitor chose in steps 1 and 2 of the booking form. `date` is
 * 'yyyy-MM-dd', `time` is 'HH:mm'.
 */
export type BookingChoice = { serviceId: string; date: string; time: string }

/** A new row of the table `bookings` as a visitor's browser sends it: exactly the fields of docs/product.md 7.2. */
export type NewBooking = {
  service_id: string
  appointment_date: string
  appointment_time: string
  customer_name: string
  customer_email: string
  customer_phone: string
  notes: string | null
  vehicle_year: string
  vehicle_make: string
  vehicle_model: string
  vehicle_color: string | null
  status: 'confirmed'
}

/**
 * The reason why the booking form is not sent: a message of docs/product.md 5.3 and the fields to mark. The message
 * about the minimum notice marks no field.
 */
export type BookingFormRefusal = { title: string; message: string; fields: BookingField[] }

/** The maximum length of each field in characters, as in the database. The form sets this length as `maxlength`. */
export const bookingFieldLimits: Readonly<Record<BookingField, number>> = {
  name: 200,
  email: 254,
  phone: 40,
  notes: 2000,
  vehicleYear: 20,
  vehicleMake: 60,
  vehicleModel: 60,
  vehicleColor: 40,
}

/**
 * Validates name, email address, phone number, vehicle and minimum notice in this order and returns the first failure
 * (docs/product.md 5.3).
 */
export function checkBookingForm(
  form: BookingForm,
  choice: BookingChoice,
  now: Date,
  calendar: ShopCalendar = defaultCalendar,
): Result<NewBooking, BookingFormRefusal> {
  const refusal =
    customerRefusal(form) ?? vehicleRefusal(form) ?? noticeRefusal(choice, now, calendar)
  return refusal ? refused(refusal) : accepted(toRow(form, choice))
}

function customerRefusal({ name, email, phone }: BookingForm): BookingFormRefusal | undefined {
  if (isBlank(name)) return refusal('Name Required', 'Please enter your full name.', ['name'])
  if (isBlank(email) || !email.includes('@')) {
    return refusal('Valid Email Required', 'Please enter a valid email address.', ['email'])
  }
  if (isBlank(phone)) {
    return refusal('Phone Number Required', 'Please enter your phone number.', ['phone'])
  }
  return undefined
}

function vehicleRefusal(form: BookingForm): BookingFormRefusal | undefined {
  const missing = (['vehicleYear', 'vehicleMake', 'vehicleModel'] as const).filter((field) =>
    isBlank(form[field]),
  )
  if (missing.length === 0) return undefined
  const text = 'Please provide vehicle year, make, and model.'
  return refusal('Vehicle Details Required', text, missing)
}

function noticeRefusal(
  { date, time }: BookingChoice,
  now: Date,
  calendar: ShopCalendar,
): BookingFormRefusal | undefined {
  return hasMinimumNotice(date, time, now, calendar) ? undefined : tooLittleNotice(calendar.rules)
}

/** The message for a visitor whose chosen time is now closer than the minimum notice (docs/product.md 5.3). */
export function tooLittleNotice({ noticeMinutes }: BookingRules): BookingFormRefusal {
  const message = `Appointments must be booked at least ${formatDuration(noticeMinutes)} in advance.`
  return { title: 'Notice Required', message, fields: [] }
}

function refusal(title: string, message: string, fields: BookingField[]): BookingFormRefusal {
  return { title, message, fields }
}

const isBlank = (text: string) => cleanLine(text) === ''

function toRow(form: BookingForm, { serviceId, date, time }: BookingChoice): NewBooking {
  return {
    service_id: serviceId,
    appointment_date: date,
    appointment_time: storedTime(time),
    customer_name: cleanLine(form.name),
    customer_email: cleanLine(form.email),
    customer_phone: cleanLine(form.phone),
    notes: emptyToNull(cleanLines(form.notes)),
    vehicle_year: cleanLine(form.vehicleYear),
    vehicle_make: cleanLine(form.vehicleMake),
    vehicle_model: cleanLine(form.vehicleModel),
    vehicle_color: emptyToNull(cleanLine(form.vehicleColor)),
    status: 'confirmed',
  }
}
