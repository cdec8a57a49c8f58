import type { VehicleFacts } from '#domain/bookings/vehicle-state.ts'
import { type ColoredVehicle, vehicleColumns } from '#domain/customers/vehicle.ts'
import { type EmailDelivery, emailDeliveryColumns } from '#contracts/emails/email-delivery.ts'

/** An appointment as the dashboard reads it from the REST API (docs/product.md 3.2). */
export type Booking = ColoredVehicle & {
  readonly id: string
  readonly service_id: string
  /** The service's name at the time of booking; later changes of the service do not change this name. */
  readonly service_name: string
  /** The date of the appointment: yyyy-MM-dd, shop time. */
  readonly appointment_date: string
  /** The time of the appointment: HH:mm:ss, shop time. */
  readonly appointment_time: string
  readonly duration_minutes: number
  readonly customer_name: string
  /**
   * The customer's email address; null when the customer provided none, for example by phone. The shop then sends no
   * email.
   */
  readonly customer_email: string | null
  readonly customer_phone: string
  readonly notes: string | null
  readonly status: string
  readonly completed_at: string | null
  readonly completed_by: string | null
  readonly flagged_reasons: readonly string[]
  /**
   * The time (ISO 8601) at which a held booking expires unless the customer confirms it by email. The shop holds
   * bookings that look automated.
   */
  readonly held_until: string | null
  /** The time (ISO 8601) at which the customer confirmed that they will come at the booked time. */
  readonly attendance_confirmed_at: string | null
  /** The time (ISO 8601) at which the customer (by email) or staff confirmed a booking that needed a confirmation. */
  readonly hold_confirmed_at: string | null
  /** The tasks that staff created from the booking. */
  readonly tasks: readonly { readonly id: string }[]
  /**
   * The state of the booking, the statuses of its tasks, and whether its invoice is paid. From these values, pages
   * compute the state of the vehicle.
   */
  readonly vehicle_facts: VehicleFacts
  /** The emails about the booking, such as its confirmation. */
  readonly emails: readonly EmailDelivery[]
}

/** The columns of the type `Booking`, as the `select` of a request to the REST API. */
export const bookingColumns = `id, service_id, service_name, appointment_date, appointment_time, duration_minutes,
  customer_name, customer_email, customer_phone, notes,
  ${vehicleColumns},
  status, completed_at, completed_by, flagged_reasons, held_until, hold_confirmed_at, attendance_confirmed_at, vehicle_facts,
  tasks(id),
  emails(${emailDeliveryColumns})`
