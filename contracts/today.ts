import * as z from 'zod/mini'
import { dayBooking, shopDay } from '#contracts/bookings/day.ts'
import { vehicleFacts } from './vehicle-details.ts'

const quote = z.object({
  id: z.string(),
  name: z.string(),
  vehicle_year: z.string(),
  vehicle_make: z.string(),
  vehicle_model: z.string(),
  service_type: z.nullable(z.string()),
  created_at: z.string(),
})

const email = z.object({
  id: z.string(),
  kind: z.string(),
  recipient_name: z.string(),
  recipient_email: z.string(),
  /** Whom to call instead, where it is known. */
  phone: z.nullable(z.string()),
  booking_id: z.nullable(z.string()),
  /** yyyy-MM-dd, of that appointment. */
  appointment_date: z.nullable(z.string()),
  quote_request_id: z.nullable(z.string()),
  created_at: z.string(),
})

const toNotify = z.object({
  id: z.string(),
  customer_name: z.string(),
  /** Null where only the phone is left. */
  customer_email: z.nullable(z.string()),
  customer_phone: z.string(),
  /** yyyy-MM-ddTHH:mm:ss, shop time, as it is now. */
  starts_at: z.string(),
  is_cancelled: z.boolean(),
})

const scheduleConflict = z.object({
  booking_id: z.string(),
  appointment_date: z.string(),
  appointment_time: z.string(),
  duration_minutes: z.int(),
  customer_name: z.string(),
  service_name: z.string(),
  problem: z.enum(['outside_hours', 'no_bay']),
})

const held = z.object({
  id: z.string(),
  customer_name: z.string(),
  service_name: z.string(),
  /** yyyy-MM-ddTHH:mm:ss, shop time. */
  starts_at: z.string(),
  held_until: z.string(),
})

const task = z.object({
  id: z.string(),
  title: z.string(),
  /** Of the appointment that it was made from. */
  customer_name: z.nullable(z.string()),
  /** Of its appointment; of a task without one, what the task alone says. */
  vehicle_facts: vehicleFacts,
  since: z.string(),
})

const payments = z.object({
  outcome: z.enum(['applied', 'overpaid', 'refunded']),
  currency: z.string(),
  payments: z.int(),
  cents: z.int(),
})

const load = z.object({
  day: z.string(),
  /** That begin then, and neither were cancelled nor missed. */
  booking_count: z.int(),
  /** How many of them are completed. */
  done: z.int(),
  /** Of all active bays together. */
  open_minutes: z.int(),
})

/**
 * What the data service's `read_today` answers (docs/product.md 13): today as `read_day` tells it, who waits, what
 * was paid, and the week. Instants are ISO 8601; each list is the oldest 50 (`misfits` 500).
 */
export const todayPage = z.extend(shopDay, {
  instant: z.string(),
  /** Whose vehicle is at the shop, though the appointment is of another day. */
  also_here: z.array(dayBooking),
  quotes: z.array(quote),
  undelivered_emails: z.array(email),
  /** Appointments whose customers still have to be notified of a change. */
  to_notify: z.array(toNotify),
  schedule_conflicts: z.array(scheduleConflict),
  held: z.array(held),
  tasks: z.array(task),
  payments: z.array(payments),
  /** Monday to Sunday. */
  week: z.array(load),
})
export type TodayPage = z.output<typeof todayPage>
