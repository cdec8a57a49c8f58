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
  /** At most six, the latest first. */
  vehicles: z.array(vehicle),
  /** yyyy-MM-dd */
  last_appointment: z.nullable(z.string()),
  /** The service of the latest appointment or request. */
  last_service_id: z.string(),
  last_service_name: z.string(),
  next_appointment: z.nullable(z.string()),
  no_shows: z.int(),
})
export type PhoneBookingCustomer = z.output<typeof customer>
export type PhoneBookingVehicle = z.output<typeof vehicle>

/** The result of the data service's `find_customers` (docs/product.md 12.6). */
export const phoneBookingCustomers = z.array(customer)

const freeTime = z.object({
  /** yyyy-MM-dd */
  date: z.string(),
  /** HH:mm, shop time. */
  time: z.string(),
  /** The bays that are free at this time, by position. */
  bay_ids: z.array(z.string()),
})
export type FreeTime = z.output<typeof freeTime>

/** The result of the data service's `check_booking_time`, one row (docs/product.md 12.3). */
export const timeChecks = z.array(
  z.object({
    /** The bay that the appointment would be placed in; null when the time is refused. */
    assigned_bay_id: z.nullable(z.string()),
    /** in_the_past, notice_required, too_far_ahead, overnight, outside_hours */
    warnings: z.array(z.string()),
    /** slot_taken, bay_cannot_do_service, bay_not_active; null when the time is possible. */
    refusal: z.nullable(z.string()),
    /** Ids of the appointments that occupy the time. */
    in_the_way: z.array(z.string()),
    free_times: z.array(freeTime),
  }),
)
export type TimeCheck = z.output<typeof timeChecks>[number]
