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
  /** The phone number to call instead, when it is known. */
  phone: z.nullable(z.string()),
  booking_id: z.nullable(z.string()),
  /** yyyy-MM-dd: the date of the appointment that the email is about. */
  appointment_date: z.nullable(z.string()),
  quote_request_id: z.nullable(z.string()),
  created_at: z.string(),
})

const toNotify = z.object({
  id: z.string(),
  customer_name: z.string(),
  /** Null when the customer left only a phone number. */
  customer_email: z.nullable(z.string()),
  customer_phone: z.string(),
  /** yyyy-MM-ddTHH:mm:ss, shop time: the current start. */
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
  /** The customer of the appointment that the task was made from. */
  customer_name: z.nullable(z.string()),
  /** The facts of the task's appointment; for a task without one, the facts of the task alone. */
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
  /** Appointments that begin on the date, except cancelled and missed ones. */
  booking_count: z.int(),
  /** The number of completed appointments. */
  done: z.int(),
  /** The open minutes of all active bays together. */
  open_minutes: z.int(),
})

/**
 * The result of the data service's `read_today` (docs/product.md 13): the day as in `read_day`, waiting records,
 * payments, and the week. Instants are ISO 8601; each list has the oldest 50 (`schedule_conflicts` 500).
 */
export const todayPage = z.extend(shopDay, {
  instant: z.string(),
  /** Appointments of other days whose vehicle is at the shop. */
  also_here: z.array(dayBooking),
  quotes: z.array(quote),
  undelivered_emails: z.array(email),
  /** Appointments whose customers were not notified of a change. */
  to_notify: z.array(toNotify),
  schedule_conflicts: z.array(scheduleConflict),
  held: z.array(held),
  tasks: z.array(task),
  payments: z.array(payments),
  /** Monday to Sunday. */
  week: z.array(load),
})
export type TodayPage = z.output<typeof todayPage>
