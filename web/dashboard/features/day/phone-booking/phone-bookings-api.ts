import { bookingCommands } from '#contracts/bookings/booking-commands.ts'
import type { ResultOf } from '#contracts/commands/command.ts'
import {
  type PhoneBookingCustomer,
  phoneBookingCustomers,
  type FreeTime,
  type TimeCheck,
  timeChecks,
} from '#contracts/bookings/phone-bookings.ts'
import {
  type PhoneBookingForm,
  normalizePhoneBookingForm,
} from '#domain/bookings/phone-booking-form.ts'
import { orderServices } from '#domain/shop/service-order.ts'
import { emptyToNull } from '#domain/text/text-input.ts'
import type { ColoredVehicle } from '#domain/customers/vehicle.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import { runCommand } from '#web/lib/data/run-command.ts'
import { changeBookingState } from '#web/dashboard/kit/bookings/change-booking-state.ts'

export type BookableService = {
  readonly id: string
  readonly name: string
  readonly duration_minutes: number
}

/**
 * The service, time and bay of a proposed booking. `bayId` is '' for the first free bay and 'none' for no
 * bay.
 */
export type ProposedSlot = {
  readonly serviceId: string
  /** The date of the appointment in the shop's time zone, yyyy-MM-dd. */
  readonly date: string
  /** The start of the appointment, HH:mm; '' while no time is chosen. */
  readonly time: string
  readonly bayId: string
}

/** The value of `bayId` that books without a bay, for example when all bays are occupied. */
export const noBay = 'none'

/** The vehicle that staff chose or typed for a booking, with its license plate as typed. */
export type ChosenVehicle = ColoredVehicle & { readonly plate: string | null }

/**
 * The result of a saved phone booking: the booking's id, the customer's contact details as typed, and the delivery
 * status of the confirmation email.
 */
export type BookedAppointment = ResultOf<typeof bookingCommands.bookByPhone> & {
  readonly id: string
  readonly customerName: string
  readonly customerEmail: string | null
  readonly customerPhone: string
}

/** Finds at most eight customers who match every word of `search`. A text of less than two characters finds none. */
export async function findCustomers(search: string): Promise<PhoneBookingCustomer[]> {
  const { data } = await requestData((service) => service.rpc('find_customers', { search }))
  return phoneBookingCustomers.parse(data)
}

/** Reads the active services in the order of the service list. */
export async function listBookableServices(): Promise<BookableService[]> {
  const { data } = await requestData((service) =>
    service.from('services').select('id, name, duration_minutes, position').eq('is_active', true),
  )
  return orderServices(data)
}

/** Reads the next free times for a service from a date on. */
export async function listFreeTimes(
  slot: Pick<ProposedSlot, 'serviceId' | 'date' | 'bayId'>,
): Promise<FreeTime[]> {
  const { data } = await requestData((service) =>
    service.rpc('next_free_times', {
      service_id: slot.serviceId,
      from_moment: `${slot.date}T00:00:00`,
      bay_id: bayOf(slot),
    }),
  )
  return data.map(({ free_date, free_time, bay_ids }) => ({
    date: free_date,
    time: free_time.slice(0, 5),
    bay_ids,
  }))
}

/**
 * Asks the database whether a slot conflicts with bookings or opening hours. A slot without a bay cannot conflict with
 * a booking, so the result for such a slot contains only warnings.
 */
export async function checkSlot(
  slot: ProposedSlot,
  bookingId: string,
  minutes?: number,
): Promise<TimeCheck | undefined> {
  const { data } = await requestData((service) =>
    service.rpc('check_booking_time', {
      service_id: slot.serviceId,
      appointment_date: slot.date,
      appointment_time: slot.time,
      bay_id: bayOf(slot),
      ...(minutes && { minutes }),
      // The check ignores the booking with this id: an earlier request may have saved the booking, but its response was
      // lost.
      ignored_booking_id: bookingId,
    }),
  )
  const [check] = timeChecks.parse(data)
  if (slot.bayId !== noBay || !check) return check
  return { ...check, assigned_bay_id: null, refusal: null, in_the_way: [], free_times: [] }
}

/**
 * Saves a phone booking and sends the confirmation if there is an email address. A repeated call with the same id books
 * only once and returns the first booking.
 */
export async function bookByPhone(
  id: string,
  form: PhoneBookingForm,
  slot: ProposedSlot,
  vehicle: ChosenVehicle,
): Promise<BookedAppointment> {
  const input = normalizePhoneBookingForm(form)
  const customer = {
    customerName: input.name,
    customerPhone: input.phone,
    customerEmail: emptyToNull(input.email),
  }
  const booked = await runCommand(bookingCommands.bookByPhone, {
    bookingId: id,
    serviceId: slot.serviceId,
    date: slot.date,
    time: slot.time,
    bayId: bayOf(slot),
    withoutBay: slot.bayId === noBay,
    ...customer,
    notes: emptyToNull(input.notes),
    reason: slot.bayId === noBay ? input.reason : null,
    vehicleYear: vehicle.vehicle_year,
    vehicleMake: vehicle.vehicle_make,
    vehicleModel: vehicle.vehicle_model,
    vehicleColor: vehicle.vehicle_color,
    vehiclePlate: vehicle.plate,
  })
  return { id, ...customer, ...booked }
}

/** Undoes a new booking: cancels the booking and records the undo in its history. */
export async function undoPhoneBooking(booked: BookedAppointment): Promise<void> {
  await changeBookingState(booked, 'cancelled', 'Booking undone immediately')
}

const bayOf = ({ bayId }: Pick<ProposedSlot, 'bayId'>) =>
  bayId === '' || bayId === noBay ? null : bayId
