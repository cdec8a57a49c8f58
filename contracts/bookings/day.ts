import * as z from 'zod/mini'
import { vehicleFacts } from '#contracts/vehicle-details.ts'

/** A period of a date in which the shop or a bay is open, in minutes after midnight. */
const span = z.object({ opensAtMinute: z.int(), closesAtMinute: z.int() })

const bay = z.object({
  id: z.string(),
  name: z.string(),
  position: z.int(),
  is_active: z.boolean(),
  /** The name of the employee to whom the bay is assigned; null when the bay is assigned to nobody. */
  technician: z.nullable(z.string()),
  /** The ids of the services that are possible in the bay; null when all services are possible. */
  service_ids: z.nullable(z.array(z.string())),
  open: z.array(span),
})

const closure = z.object({
  id: z.string(),
  /** The bay that is closed or has special hours; null for the whole shop. */
  bay_id: z.nullable(z.string()),
  /** The start of the closure or special hours: yyyy-MM-ddTHH:mm:ss, shop time. */
  starts_at: z.string(),
  ends_at: z.string(),
  /** True for special hours, false for a closure. */
  is_open: z.boolean(),
  reason: z.string(),
})

/** An appointment as the day view and the page Today show it. */
export const dayBooking = z.object({
  id: z.string(),
  /**
   * The version of the appointment; a request that moves the appointment or changes its state must send this version.
   */
  version: z.int(),
  /**
   * The start of the appointment: yyyy-MM-ddTHH:mm:ss, shop time. For an appointment that spans midnight, the start can
   * be on the date before the shown date.
   */
  starts_at: z.string(),
  ends_at: z.string(),
  minutes: z.int(),
  /** The bay of the appointment; null when the appointment has no bay. */
  bay_id: z.nullable(z.string()),
  /**
   * The state of the booking: confirmed, pending, arrived, in_work, completed, cancelled, no_show, not_confirmed, or
   * a status that staff entered as free text.
   */
  state: z.string(),
  /**
   * The state of the booking, the statuses of its tasks, and whether its invoice is paid. From these values, pages
   * compute the state of the vehicle.
   */
  vehicle_facts: vehicleFacts,
  /** The time (ISO 8601) at which the booking reached its current state. */
  state_changed_at: z.string(),
  /** Whether the customer confirmed that they will come at the booked time. */
  will_come: z.boolean(),
  /**
   * Whether the customer's last notification is outdated, because the appointment was moved, cancelled or restored
   * since.
   */
  needs_notification: z.boolean(),
  /** The start that the customer's last notification stated: yyyy-MM-ddTHH:mm:ss, shop time. */
  notified_starts_at: z.string(),
  /** Whether the customer's last notification stated that the appointment is cancelled. */
  notified_cancelled: z.boolean(),
  service_id: z.string(),
  service_name: z.string(),
  /**
   * The id of the vehicle's record; null while the booking is not linked to a vehicle's record, for example because the
   * booking names no vehicle.
   */
  vehicle_id: z.nullable(z.string()),
  customer_name: z.string(),
  customer_phone: z.string(),
  customer_email: z.nullable(z.string()),
  vehicle_year: z.nullable(z.string()),
  vehicle_make: z.nullable(z.string()),
  vehicle_model: z.nullable(z.string()),
  vehicle_color: z.nullable(z.string()),
  /** The customer's own description of the problem. */
  notes: z.nullable(z.string()),
  /** A note for staff that the customer never sees. */
  internal_note: z.nullable(z.string()),
  flagged_reasons: z.array(z.string()),
  /**
   * The time (ISO 8601) at which a held booking expires unless the customer confirms it by email. The shop holds
   * bookings that look automated.
   */
  held_until: z.nullable(z.string()),
  schedule_conflict: z.nullable(z.enum(['outside_hours', 'no_bay'])),
  has_task: z.boolean(),
})

/** The result of the database function `read_day`, called over the REST API (docs/product.md 12.6). */
export const shopDay = z.object({
  /** The date of the day view: yyyy-MM-dd. */
  day: z.string(),
  /** The current time: yyyy-MM-ddTHH:mm:ss, shop time. */
  now: z.string(),
  /** The id of the newest entry of `booking_events` in this result; entries with a higher id are newer. */
  last_event_id: z.int(),
  /** The opening hours of the shop on the date; a bay can have other hours. */
  open: z.array(span),
  bays: z.array(bay),
  closures: z.array(closure),
  bookings: z.array(dayBooking),
})
export type ShopDay = z.output<typeof shopDay>

export type DayBooking = ShopDay['bookings'][number]
