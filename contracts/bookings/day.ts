import * as z from 'zod/mini'
import { vehicleFacts } from '#contracts/vehicle-details.ts'

/** Minutes after midnight of a date. */
const span = z.object({ opensAtMinute: z.int(), closesAtMinute: z.int() })

const bay = z.object({
  id: z.string(),
  name: z.string(),
  position: z.int(),
  is_active: z.boolean(),
  /** The employee who works in the bay; null for none in particular. */
  technician: z.nullable(z.string()),
  /** The services that the bay is limited to; null for all. */
  service_ids: z.nullable(z.array(z.string())),
  open: z.array(span),
})

const closure = z.object({
  id: z.string(),
  /** Null for the whole shop. */
  bay_id: z.nullable(z.string()),
  /** yyyy-MM-ddTHH:mm:ss, shop time. */
  starts_at: z.string(),
  ends_at: z.string(),
  /** Whether the entry is special hours instead of a closure. */
  is_open: z.boolean(),
  reason: z.string(),
})

/** An appointment on the day view and on Today. */
export const dayBooking = z.object({
  id: z.string(),
  /** The version that a move or a change of state must name. */
  version: z.int(),
  /** yyyy-MM-ddTHH:mm:ss, shop time; on another date for an appointment that spans midnight. */
  starts_at: z.string(),
  ends_at: z.string(),
  minutes: z.int(),
  /** Null for an appointment without a bay. */
  bay_id: z.nullable(z.string()),
  /**
   * confirmed, pending, arrived, in_work, completed, cancelled, no_show, not_confirmed, or a status that staff typed.
   */
  state: z.string(),
  /** The facts that the state of the vehicle depends on. */
  vehicle_facts: vehicleFacts,
  /** ISO 8601 */
  state_changed_at: z.string(),
  /** Whether the customer confirmed that they will come at this time. */
  will_come: z.boolean(),
  /** Whether date, start time or cancellation differ from the last notification of the customer. */
  needs_notification: z.boolean(),
  /** The start in the last notification, yyyy-MM-ddTHH:mm:ss, shop time, or that the appointment was cancelled. */
  notified_starts_at: z.string(),
  notified_cancelled: z.boolean(),
  service_id: z.string(),
  service_name: z.string(),
  customer_name: z.string(),
  customer_phone: z.string(),
  customer_email: z.nullable(z.string()),
  vehicle_year: z.nullable(z.string()),
  vehicle_make: z.nullable(z.string()),
  vehicle_model: z.nullable(z.string()),
  vehicle_color: z.nullable(z.string()),
  /** What the customer wrote about the problem. */
  notes: z.nullable(z.string()),
  /** A note for staff that the customer never sees. */
  internal_note: z.nullable(z.string()),
  flagged_reasons: z.array(z.string()),
  /** ISO 8601: when the hold of a flagged booking ends unless its email is confirmed. */
  held_until: z.nullable(z.string()),
  schedule_conflict: z.nullable(z.enum(['outside_hours', 'no_bay'])),
  has_task: z.boolean(),
})

/** The result of the data service's `read_day` (docs/product.md 12.6). */
export const shopDay = z.object({
  /** yyyy-MM-dd */
  day: z.string(),
  /** yyyy-MM-ddTHH:mm:ss, shop time. */
  now: z.string(),
  /** The id of the newest history entry; entries of `booking_events` above it are new. */
  last_event_id: z.int(),
  /** When the shop is open, whatever the hours of single bays are. */
  open: z.array(span),
  bays: z.array(bay),
  closures: z.array(closure),
  bookings: z.array(dayBooking),
})
export type ShopDay = z.output<typeof shopDay>

export type DayBooking = ShopDay['bookings'][number]
