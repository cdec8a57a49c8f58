import type { VehicleFacts } from '#domain/bookings/vehicle-state.ts'
import { type EmailDelivery, emailDeliveryColumns } from '#contracts/emails/email-delivery.ts'

/** An appointment as the dashboard reads it from the data service (docs/product.md 3.2). */
export type Booking = {
  readonly id: string
  readonly service_id: string
  /** The name of the service at the time of booking. */
  readonly service_name: string
  /** yyyy-MM-dd, shop time. */
  readonly appointment_date: string
  /** HH:mm:ss, shop time. */
  readonly appointment_time: string
  readonly duration_minutes: number
  readonly customer_name: string
  /** Null when the customer gave none, for example on the phone; then no email is sent. */
  readonly customer_email: string | null
  readonly customer_phone: string
  readonly notes: string | null
  readonly vehicle_year: string | null
  readonly vehicle_make: string | null
  readonly vehicle_model: string | null
  readonly vehicle_color: string | null
  readonly status: string
  readonly completed_at: string | null
  readonly completed_by: string | null
  readonly flagged_reasons: readonly string[]
  /** ISO 8601: when the hold of a flagged booking ends unless its email is confirmed. */
  readonly held_until: string | null
  /** ISO 8601: when the customer confirmed that they will come at this time. */
  readonly attendance_confirmed_at: string | null
  /** ISO 8601: when a held booking was confirmed, by its email or by staff. */
  readonly hold_confirmed_at: string | null
  /** The tasks made from the booking. */
  readonly tasks: readonly { readonly id: string }[]
  /** The facts that the state of the vehicle depends on. */
  readonly vehicle_facts: VehicleFacts
  /** The confirmation email. */
  readonly emails: readonly EmailDelivery[]
}

/** The columns of `Booking` for a `select` of the data service. */
export const bookingColumns = `id, service_id, service_name, appointment_date, appointment_time, duration_minutes,
  customer_name, customer_email, customer_phone, notes,
  vehicle_year, vehicle_make, vehicle_model, vehicle_color,
  status, completed_at, completed_by, flagged_reasons, held_until, hold_confirmed_at, attendance_confirmed_at, vehicle_facts,
  tasks(id),
  emails(${emailDeliveryColumns})`
