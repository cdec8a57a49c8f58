import type { ContactChange } from '#contracts/bookings/booking-commands.ts'
import type { DayBooking } from '#contracts/bookings/day.ts'
import { bookingFieldLimits } from '#domain/bookings/booking-form.ts'
import {
  checkPhoneBookingForm,
  emptyPhoneBookingForm,
  parseVehicleLine,
  phoneBookingFieldLimits,
} from '#domain/bookings/phone-booking-form.ts'
import { vehicleName } from '#domain/customers/vehicle.ts'
import { cleanLine, emptyToNull } from '#domain/text/text-input.ts'
import { createFormDraftStorage } from '#web/dashboard/kit/forms/versioned-draft.ts'
import type { ChosenVehicle } from '../phone-booking/phone-bookings-api.ts'

/** The editable fields of a booking, as the user types them. */
export type EditForm = {
  readonly serviceId: string
  /** The date (yyyy-MM-dd) and the start (HH:mm) of the appointment. */
  readonly date: string
  readonly time: string
  /** Year, make and model in one line, or a license plate. */
  readonly vehicle: string
  readonly color: string
  readonly name: string
  readonly phone: string
  readonly email: string
  /**
   * The user's decision about changed contact details: whether the changes correct the data of the same customer, or
   * the booking belongs to another customer; '' until the user decides.
   */
  readonly contactChange: ContactChange | ''
}

const emptyEditForm: EditForm = {
  serviceId: '',
  date: '',
  time: '',
  vehicle: '',
  color: '',
  name: '',
  phone: '',
  email: '',
  contactChange: '',
}

/**
 * Stores the unsaved changes of one booking in the session storage of the tab, so that the changes survive Back and a
 * reload.
 */
export const editDraftOf = (bookingId: string) =>
  createFormDraftStorage<EditForm>(`edit_booking_${bookingId}`, emptyEditForm)

export const editFieldLimits = {
  vehicle: phoneBookingFieldLimits.vehicle,
  color: bookingFieldLimits.vehicleColor,
  name: bookingFieldLimits.name,
  phone: bookingFieldLimits.phone,
  email: bookingFieldLimits.email,
} as const

export const editFieldLabels: Readonly<Record<keyof EditForm, string>> = {
  serviceId: 'Service',
  date: 'Day',
  time: 'Time',
  vehicle: 'Vehicle',
  color: 'Color',
  name: 'Name',
  phone: 'Phone',
  email: 'Email',
  contactChange: 'Correction or another customer',
}

export type EditErrors = { readonly [Name in keyof EditForm]?: string }

export function editFormOf(booking: DayBooking): EditForm {
  const [date = '', time = ''] = booking.starts_at.split('T')
  return {
    serviceId: booking.service_id,
    date,
    time: time.slice(0, 5),
    vehicle: vehicleName(booking),
    color: booking.vehicle_color ?? '',
    name: booking.customer_name,
    phone: booking.customer_phone,
    email: booking.customer_email ?? '',
    contactChange: '',
  }
}

export function isContactChanged(form: EditForm, booking: DayBooking): boolean {
  return (
    cleanLine(form.name) !== booking.customer_name ||
    cleanLine(form.phone) !== booking.customer_phone ||
    cleanLine(form.email) !== (booking.customer_email ?? '')
  )
}

export function checkEditForm(form: EditForm, booking: DayBooking): EditErrors {
  const { name, phone, email } = form
  return {
    ...checkPhoneBookingForm({ ...emptyPhoneBookingForm, name, phone, email }, false),
    ...(isContactChanged(form, booking) &&
      form.contactChange === '' && { contactChange: 'Please choose one.' }),
  }
}

/**
 * Parses the vehicle from the typed line. If the user did not change the line, returns the stored year, make and model.
 */
export function editedVehicle(form: EditForm, booking: DayBooking): ChosenVehicle {
  const vehicle_color = emptyToNull(cleanLine(form.color))
  if (cleanLine(form.vehicle) !== vehicleName(booking)) {
    return { ...parseVehicleLine(form.vehicle), vehicle_color }
  }
  const { vehicle_year, vehicle_make, vehicle_model } = booking
  return { vehicle_year, vehicle_make, vehicle_model, vehicle_color, plate: null }
}
