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
import { changeBookingState } from '#web/dashboard/kit/bookings/change-booking-state.ts'

export type BookableService = {
  readonly id: string
  readonly name: string
  readonly duration_minutes: number
}

/** When and where a car is to come; no bay named is the first that is free, 'none' is no bay at all. */
export type ProposedSlot = {
  readonly serviceId: string
  /** yyyy-MM-dd, shop time. */
  readonly date: string
  /** HH:mm, or '' while it is not known. */
  readonly time: string
  readonly bayId: string
}

/** The bay of who is booked although every bay is taken. */
export const noBay = 'none'

/** What is known of an appointment once it is booked. */
export type BookedAppointment = {
  readonly id: string
  readonly version: number
  readonly appointment_date: string
  readonly appointment_time: string
  readonly bay_id: string | null
  readonly customer_name: string
  readonly customer_email: string | null
  readonly customer_phone: string
}

/** Up to eight people who match every word; a search of less than two characters finds nobody. */
export async function findCustomers(search: string): Promise<PhoneBookingCustomer[]> {
  const { data } = await requestData((service) => service.rpc('find_customers', { search }))
  return phoneBookingCustomers.parse(data)
}

/** The services that can be booked, in the order of the cards. */
export async function listBookableServices(): Promise<BookableService[]> {
  const { data } = await requestData((service) =>
    service.from('services').select('id, name, duration_minutes, position').eq('is_active', true),
  )
  return orderServices(data)
}

/** The next times from a date on that a service fits into. */
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

/** What the database would say to a time now; in no bay a car is in nobody's way, but the hours are the shop's. */
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
      // Booked already where only the answer was lost: then it is not in its own way.
      ignored_booking_id: bookingId,
    }),
  )
  const [check] = timeChecks.parse(data)
  if (slot.bayId !== noBay || !check) return check
  return { ...check, assigned_bay_id: null, refusal: null, in_the_way: [], free_times: [] }
}

/** Books a caller. May be repeated with the same id: it books once, and returns what was booked. */
export async function bookByPhone(
  id: string,
  form: PhoneBookingForm,
  slot: ProposedSlot,
  vehicle: ColoredVehicle,
): Promise<BookedAppointment> {
  const input = normalizePhoneBookingForm(form)
  const { data } = await requestData((service) =>
    service.rpc('book_by_phone', {
      booking_id: id,
      service_id: slot.serviceId,
      appointment_date: slot.date,
      appointment_time: slot.time,
      bay_id: bayOf(slot),
      without_bay: slot.bayId === noBay,
      customer_name: input.name,
      customer_phone: input.phone,
      customer_email: emptyToNull(input.email),
      notes: emptyToNull(input.notes),
      reason: slot.bayId === noBay ? input.reason : null,
      ...vehicle,
    }),
  )
  return data
}

/** Takes a booking back that was just made: it is cancelled, with a line in its story. */
export async function undoPhoneBooking(booked: BookedAppointment): Promise<void> {
  await changeBookingState(booked, 'cancelled', 'Undone right after it was booked')
}

const bayOf = ({ bayId }: Pick<ProposedSlot, 'bayId'>) =>
  bayId === '' || bayId === noBay ? null : bayId
