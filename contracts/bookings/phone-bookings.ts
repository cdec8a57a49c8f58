import * as z from 'zod/mini'

const vehicle = z.object({
  year: z.nullable(z.string()),
  make: z.nullable(z.string()),
  model: z.nullable(z.string()),
  color: z.nullable(z.string()),
})

const customer = z.object({
  customer_name: z.string(),
  customer_phone: z.string(),
  customer_email: z.nullable(z.string()),
  /** Latest first, at most six. */
  vehicles: z.array(vehicle),
  /** yyyy-MM-dd */
  last_appointment: z.nullable(z.string()),
  /** What they came for or asked for last. */
  last_service_id: z.string(),
  last_service_name: z.string(),
  next_appointment: z.nullable(z.string()),
  no_shows: z.int(),
})
export type PhoneBookingCustomer = z.output<typeof customer>
export type PhoneBookingVehicle = z.output<typeof vehicle>

/** What the data service's `find_customers` answers (docs/product.md 12.6). */
export const phoneBookingCustomers = z.array(customer)

const freeTime = z.object({
  /** yyyy-MM-dd */
  date: z.string(),
  /** HH:mm, shop time. */
  time: z.string(),
  /** Bays that have the time, by position. */
  bay_ids: z.array(z.string()),
})
export type FreeTime = z.output<typeof freeTime>

/** What the data service's `check_booking_time` answers: one row (docs/product.md 12.3). */
export const timeChecks = z.array(
  z.object({
    /** The bay that it would get; null when it is refused. */
    assigned_bay_id: z.nullable(z.string()),
    /** in_the_past, notice_required, too_far_ahead, overnight, outside_hours */
    warnings: z.array(z.string()),
    /** slot_taken, bay_cannot_do_service, bay_not_active; null when it fits. */
    refusal: z.nullable(z.string()),
    /** Ids of the appointments in the way. */
    in_the_way: z.array(z.string()),
    free_times: z.array(freeTime),
  }),
)
export type TimeCheck = z.output<typeof timeChecks>[number]
