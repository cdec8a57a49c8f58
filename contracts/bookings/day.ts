import * as z from 'zod/mini'
import { vehicleFacts } from '#contracts/vehicle-details.ts'

/** Minutes after midnight of a date. */
const span = z.object({ opensAtMinute: z.int(), closesAtMinute: z.int() })

const bay = z.object({
  id: z.string(),
  name: z.string(),
  position: z.int(),
  is_active: z.boolean(),
  /** Who works there; null is nobody in particular. */
  technician: z.nullable(z.string()),
  /** The only services that it can do; null is all. */
  service_ids: z.nullable(z.array(z.string())),
  open: z.array(span),
})

const closure = z.object({
  id: z.string(),
  /** Null is the whole shop. */
  bay_id: z.nullable(z.string()),
  /** yyyy-MM-ddTHH:mm:ss, shop time. */
  starts_at: z.string(),
  ends_at: z.string(),
  /** A special opening. */
  is_open: z.boolean(),
  reason: z.string(),
})

/** An appointment as the day and the start page show it. */
export const dayBooking = z.object({
  id: z.string(),
  /** What a move or a change of state names. */
  version: z.int(),
  /** yyyy-MM-ddTHH:mm:ss, shop time; of an overnight one on an earlier or a later day. */
  starts_at: z.string(),
  ends_at: z.string(),
  minutes: z.int(),
  /** Null is not placed. */
  bay_id: z.nullable(z.string()),
  /** confirmed, pending, arrived, in_work, completed, cancelled, no_show, not_confirmed, or what staff wrote. */
  state: z.string(),
  /** What the state of the vehicle depends on. */
  vehicle_facts: vehicleFacts,
  /** ISO 8601 */
  state_changed_at: z.string(),
  /** Whether its customer said that they will come at this time. */
  will_come: z.boolean(),
  /** Whether date, start time or the cancellation differ from what the customer last heard. */
  needs_notification: z.boolean(),
  /** What the customer last heard: the start, yyyy-MM-ddTHH:mm:ss, shop time, or that it was cancelled. */
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
  /** What the customer said. */
  notes: z.nullable(z.string()),
  /** What staff tell each other. */
  internal_note: z.nullable(z.string()),
  flagged_reasons: z.array(z.string()),
  /** ISO 8601: until when a flagged one waits for its e-mail to be answered. */
  held_until: z.nullable(z.string()),
  schedule_conflict: z.nullable(z.enum(['outside_hours', 'no_bay'])),
  has_task: z.boolean(),
})

/** What the data service's `read_day` answers (docs/product.md 12.6). */
export const shopDay = z.object({
  /** yyyy-MM-dd */
  day: z.string(),
  /** yyyy-MM-ddTHH:mm:ss, shop time. */
  now: z.string(),
  /** The latest line of all stories: what `booking_events` has beyond it is news. */
  last_event_id: z.int(),
  /** When the shop is open, whatever a single bay is. */
  open: z.array(span),
  bays: z.array(bay),
  closures: z.array(closure),
  bookings: z.array(dayBooking),
})
export type ShopDay = z.output<typeof shopDay>

export type DayBooking = ShopDay['bookings'][number]
