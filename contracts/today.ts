import * as z from 'zod/mini'
import { scheduleConflict } from '#contracts/bookings/schedule-conflicts.ts'
import { dayBooking, shopDay } from '#contracts/bookings/day.ts'
import { listedInvoice, receivedPayments } from '#contracts/invoices/invoice-list.ts'
import { unclosedDay } from './payments/day-close.ts'
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
  /** The customer's phone number, which staff can call instead of sending an email; null when the number is unknown. */
  phone: z.nullable(z.string()),
  booking_id: z.nullable(z.string()),
  /** The date of the appointment that the email is about: yyyy-MM-dd. */
  appointment_date: z.nullable(z.string()),
  quote_request_id: z.nullable(z.string()),
  created_at: z.string(),
})

const toNotify = z.object({
  id: z.string(),
  customer_name: z.string(),
  /** The customer's email address; null when the customer left only a phone number. */
  customer_email: z.nullable(z.string()),
  customer_phone: z.string(),
  /** The current start of the appointment: yyyy-MM-ddTHH:mm:ss, shop time. */
  starts_at: z.string(),
  is_cancelled: z.boolean(),
})

const held = z.object({
  id: z.string(),
  customer_name: z.string(),
  service_name: z.string(),
  /** The start of the appointment: yyyy-MM-ddTHH:mm:ss, shop time. */
  starts_at: z.string(),
  held_until: z.string(),
})

const task = z.object({
  id: z.string(),
  title: z.string(),
  /** The customer of the appointment that the task was created from. */
  customer_name: z.nullable(z.string()),
  /**
   * The state of the booking, the statuses of its tasks, and whether its invoice is paid. From these values, the page
   * computes the state of the vehicle. A task without an appointment counts as work on a vehicle at the shop.
   */
  vehicle_facts: vehicleFacts,
  since: z.string(),
})

const load = z.object({
  day: z.string(),
  /** The number of appointments that begin on the date, without cancelled and missed appointments. */
  booking_count: z.int(),
  /** The number of completed appointments. */
  done: z.int(),
  /** The sum of the open minutes of all active bays. */
  open_minutes: z.int(),
})

/**
 * The result of the database function `read_today`, called over the REST API (docs/product.md 13): the day as in
 * `read_day`, the records that need attention, the payments, and the week. Instants are ISO 8601. Each list contains at
 * most the oldest 50 records (`schedule_conflicts` 500).
 */
export const todayPage = z.extend(shopDay, {
  instant: z.string(),
  /** Appointments on other dates whose vehicle is at the shop now. */
  also_here: z.array(dayBooking),
  quotes: z.array(quote),
  undelivered_emails: z.array(email),
  /** Appointments whose customer was not notified of a change. */
  to_notify: z.array(toNotify),
  schedule_conflicts: z.array(z.omit(scheduleConflict, { bay_id: true, customer_phone: true })),
  held: z.array(held),
  tasks: z.array(task),
  payments: receivedPayments,
  /**
   * After staff have closed today: the business day to which the shop assigns further payments, and the sum of these
   * payments. Null before today is closed.
   */
  payments_after_close: z.nullable(z.object({ day: z.string(), receivedCents: z.int() })),
  /**
   * The cash that should be in the drawer now, in US cents. Null before the first close, while an earlier day is not
   * closed, after the close of today, and when staff must count the cash before the dashboard shows the expected
   * amount.
   */
  drawer_expects_cents: z.nullable(z.int()),
  /** Earlier business days whose cash count staff have not closed. */
  unclosed_days: z.array(unclosedDay),
  /** Invoices whose balance differs from the unpaid amount at Stripe. */
  ledger_differences: z.array(
    z.object({
      invoiceId: z.string(),
      number: z.nullable(z.string()),
      customerName: z.string(),
      balanceCents: z.int(),
      remainingCents: z.nullable(z.int()),
      currency: z.string(),
    }),
  ),
  /**
   * Deposits that the shop holds although the customer no longer has any approved job, or the appointment was cancelled
   * or missed.
   */
  undecided_deposits: z.array(
    z.object({
      estimateId: z.string(),
      number: z.string(),
      customerName: z.string(),
      heldCents: z.int(),
      because: z.enum(['declined', 'cancelled', 'no_show']),
    }),
  ),
  /** The number and the sum of the outstanding invoices of customers who have an appointment today. */
  expected_payments: z.object({ invoices: z.int(), cents: z.int() }),
  /** The outstanding invoices that are due first. */
  invoices: z.array(listedInvoice),
  /** The appointments and the open minutes of each day of the week, from Monday to Sunday. */
  week: z.array(load),
})
export type TodayPage = z.output<typeof todayPage>
