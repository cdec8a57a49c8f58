import * as z from 'zod/mini'
import { command } from '#contracts/commands/command.ts'

/** The reasons why the server queues no email about a change of an appointment. */
const notificationRefusal = z.enum(['BOOKING_NOT_FOUND', 'NO_EMAIL_ADDRESS', 'BOOKING_CHANGED'])

/**
 * The email to the customer about a change, queued with the change; null when staff requested no email. The server
 * sends the email after twelve seconds, so that staff can undo the change, and does not send it when the appointment
 * has changed again. The delivery status is in `emails` of the appointment.
 */
const notification = z.nullable(
  z.union([z.object({ emailId: z.uuid() }), z.object({ refusal: notificationRefusal })]),
)
export type Notification = z.output<typeof notification>

/** A date: yyyy-MM-dd. */
const date = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))
/** A time of day: HH:mm, shop time. */
const time = z.string().check(z.regex(/^\d{2}:\d{2}$/))
const optionalText = z.nullable(z.string())
const placement = {
  date,
  time,
  /** The bay that staff chose. Null assigns the first free bay, or no bay if `withoutBay` is true. */
  bayId: z.nullable(z.uuid()),
  withoutBay: z.boolean(),
  /**
   * Staff's reason for this time and bay, which the history of the booking shows; required when the booking gets no
   * bay.
   */
  reason: optionalText,
}

/** Whether a changed contact of a booking corrects the customer's record or names another customer. */
const contactChange = z.enum(['correction', 'other_customer'])
export type ContactChange = z.output<typeof contactChange>

/**
 * Commands with which staff book and change appointments and send the customers emails about the changes
 * (docs/product.md 12.8).
 */
export const bookingCommands = {
  /**
   * Moves a booking and, if `notifies` is true, emails its customer. The server refuses the command when the booking
   * has changed since the dashboard read the booking.
   */
  move: command(
    'move-booking',
    z.object({
      bookingId: z.uuid(),
      seenVersion: z.int(),
      ...placement,
      minutes: z.int(),
      notifies: z.boolean(),
    }),
    z.object({ version: z.int(), bayId: z.nullable(z.uuid()), notification }),
  ),
  /**
   * Edits service, time, vehicle and contact of a booking (docs/product.md 12.15). The server refuses the command when
   * the booking has changed since the dashboard read the booking. When staff assign the booking to another customer,
   * the server emails the confirmation to the new customer. A second email informs the original customer that the
   * appointment is no longer in their name.
   */
  edit: command(
    'edit-booking',
    z.object({
      bookingId: z.uuid(),
      seenVersion: z.int(),
      serviceId: z.uuid(),
      date,
      time,
      customerName: z.string(),
      customerPhone: z.string(),
      customerEmail: optionalText,
      vehicleYear: optionalText,
      vehicleMake: optionalText,
      vehicleModel: optionalText,
      vehicleColor: optionalText,
      /** The license plate that identifies the vehicle; null when staff entered none. */
      vehiclePlate: optionalText,
      /**
       * Whether a changed contact corrects the customer's record or names another customer; null for an unchanged
       * contact.
       */
      contactChange: z.nullable(contactChange),
      notifies: z.boolean(),
    }),
    z.object({ version: z.int(), notification }),
  ),
  /**
   * Cancels a booking and, if `notifies` is true, emails its customer. The server refuses the command when the booking
   * has changed since the dashboard read the booking.
   */
  cancel: command(
    'cancel-booking',
    z.object({
      bookingId: z.uuid(),
      seenVersion: z.int(),
      reason: optionalText,
      notifies: z.boolean(),
    }),
    z.object({ version: z.int(), notification }),
  ),
  /** Cancels open bookings and notifies the customers of the bookings in `notifiedIds`. */
  cancelMany: command(
    'cancel-bookings',
    z.object({
      bookingIds: z.array(z.uuid()).check(z.maxLength(1_000)),
      reason: optionalText,
      /** The bookings whose customers get an email about the cancellation. */
      notifiedIds: z.array(z.uuid()).check(z.maxLength(1_000)),
    }),
    z.object({
      /**
       * The bookings that the command cancelled; bookings that were already completed or cancelled are omitted.
       * `previousStatus` is the status that an undo restores.
       */
      cancelled: z.array(z.object({ id: z.uuid(), previousStatus: z.string() })),
      /**
       * The ids in `notifiedIds` for which the server queued no email, because the cancelled booking has no email
       * address.
       */
      notNotified: z.array(z.uuid()),
    }),
  ),
  /**
   * Reopens bookings and gives each the status in the request. `reopened` omits the bookings whose time another booking
   * has taken.
   */
  reopen: command(
    'reopen-bookings',
    z.object({
      bookings: z.array(z.object({ id: z.uuid(), status: z.string() })).check(z.maxLength(1_000)),
    }),
    z.object({ reopened: z.array(z.uuid()) }),
  ),
  /**
   * Books an appointment for a customer on the phone, and sends the confirmation if the customer has an email address.
   * The dashboard creates `bookingId`; when a booking with this id exists, the server returns that booking unchanged.
   */
  bookByPhone: command(
    'book-by-phone',
    z.object({
      bookingId: z.uuid(),
      serviceId: z.uuid(),
      ...placement,
      customerName: z.string(),
      customerPhone: z.string(),
      customerEmail: optionalText,
      notes: optionalText,
      vehicleYear: optionalText,
      vehicleMake: optionalText,
      vehicleModel: optionalText,
      vehicleColor: optionalText,
      vehiclePlate: optionalText,
    }),
    z.object({
      version: z.int(),
      /** The date (yyyy-MM-dd) and the time (HH:mm:ss) of the booking. */
      date: z.string(),
      time: z.string(),
      bayId: z.nullable(z.uuid()),
      notification,
    }),
  ),
  /** Emails the customer about the latest change of the booking, once for each change. */
  notify: command(
    'notify-customer',
    z.object({ bookingId: z.uuid(), about: z.enum(['booked', 'moved', 'cancelled']) }),
    z.object({ emailId: z.uuid() }),
  ),
} as const
