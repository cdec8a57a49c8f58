import * as z from 'zod/mini'

const vehicle = z.object({
  /** The id of the vehicle's record; null until a booking of the vehicle is linked to a record. */
  id: z._default(z.nullable(z.string()), null),
  year: z.nullable(z.string()),
  make: z.nullable(z.string()),
  model: z.nullable(z.string()),
  color: z.nullable(z.string()),
})

const customer = z.object({
  customer_name: z.string(),
  customer_phone: z.string(),
  customer_email: z.nullable(z.string()),
  /** The vehicles of the customer's bookings: at most six, the vehicle of the latest booking first. */
  vehicles: z.array(vehicle),
  /** The date of the customer's latest appointment: yyyy-MM-dd. */
  last_appointment: z.nullable(z.string()),
  /** The id of the service of the customer's latest appointment. */
  last_service_id: z.string(),
  last_service_name: z.string(),
  next_appointment: z.nullable(z.string()),
  no_shows: z.int(),
})
export type PhoneBookingCustomer = z.output<typeof customer>
export type PhoneBookingVehicle = z.output<typeof vehicle>

/** The result of the database function `find_customers`, called over the REST API (docs/product.md 12.6). */
export const phoneBookingCustomers = z.array(customer)

const freeTime = z.object({
  /** The date of a free time: yyyy-MM-dd. */
  date: z.string(),
  /** The free time: HH:mm, shop time. */
  time: z.string(),
  /** The ids of the bays that are free at the time, in the order that staff set. */
  bay_ids: z.array(z.string()),
})
export type FreeTime = z.output<typeof freeTime>

/**
 * The result of the database function `check_booking_time`, called over the REST API: an array with one row
 * (docs/product.md 12.3).
 */
export const timeChecks = z.array(
  z.object({
    /** The bay that the database would assign to the appointment; null when the database refuses the time. */
    assigned_bay_id: z.nullable(z.string()),
    /**
     * The rules of online booking that the time breaks: in_the_past, notice_required, too_far_ahead, overnight,
     * outside_hours. Staff can book the time nevertheless.
     */
    warnings: z.array(z.string()),
    /**
     * The reason why the database refuses the time: slot_taken, bay_cannot_do_service, bay_not_active; null when the
     * time is possible.
     */
    refusal: z.nullable(z.string()),
    /** The ids of the appointments that occupy the time. */
    in_the_way: z.array(z.string()),
    free_times: z.array(freeTime),
  }),
)
export type TimeCheck = z.output<typeof timeChecks>[number]
