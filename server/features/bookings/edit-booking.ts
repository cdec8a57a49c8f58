import { bookingCommands, type Notification } from '#contracts/bookings/booking-commands.ts'
import { accepted } from '#domain/result.ts'
import { type FormerContact, writeBookingHandedOver } from '#emails/bookings/booking-handed-over.ts'
import { type Query, rowsAs } from '@local/postgres'
import { defineCommand } from '#server/features/commands/run-command.ts'
import { changeEmails, findChangedBooking } from '#server/features/emails/change-emails.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import { notificationOf, type NotifyContext } from './notify-customer.ts'

/** Edits a booking and queues the emails about the edit. */
export const editBookingCommand = (context: NotifyContext) =>
  defineCommand(bookingCommands.edit, {
    async asStaff(query, input) {
      const [former] = rowsAs<FormerContact & { serviceId: string; start: string }>(
        await query(
          `select id as "bookingId", service_id as "serviceId", customer_name as name, coalesce(customer_email, '') as email,
             service_name as "serviceName", appointment_date as date, appointment_time as time,
             to_char(appointment_date + appointment_time, 'YYYY-MM-DD HH24:MI') as start
           from public.bookings where id = $1`,
          [input.bookingId],
        ),
      )
      const [edited] = rowsAs<{ version: number; start: string }>(
        await query(
          `select version, to_char(appointment_date + appointment_time, 'YYYY-MM-DD HH24:MI') as start
           from public.edit_booking($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
          [
            input.bookingId,
            input.seenVersion,
            input.serviceId,
            input.date,
            input.time,
            input.customerName,
            input.customerPhone,
            input.customerEmail,
            input.vehicleYear,
            input.vehicleMake,
            input.vehicleModel,
            input.vehicleColor,
            input.vehiclePlate,
            input.contactChange,
          ],
        ),
      )
      if (!former || !edited) throw new Error('public.edit_booking returned no row')
      const about =
        edited.start !== former.start
          ? 'moved'
          : input.serviceId === former.serviceId
            ? 'booked'
            : 'edited'
      return accepted({ version: edited.version, about, former } as const)
    },
    async asServer(query, { bookingId, contactChange, notifies }, { version, about, former }) {
      if (contactChange === 'other_customer') {
        await informFormerContact(context, query, version, former)
        return accepted({
          version,
          notification: await confirm(context, query, bookingId, version),
        })
      }
      if (!notifies) return accepted({ version, notification: null })
      const notification =
        about === 'booked'
          ? await confirm(context, query, bookingId, version)
          : await notificationOf(context, query, bookingId, about)
      return accepted({ version, notification })
    },
  })

/**
 * When staff reassign a booking to another customer, queues an email to the previous customer, unless both customers
 * have the same email address.
 */
async function informFormerContact(
  { currentShop }: NotifyContext,
  query: Query,
  version: number,
  former: FormerContact,
): Promise<void> {
  const [booking] = await query('select customer_email from public.bookings where id = $1', [
    former.bookingId,
  ])
  const email = booking?.customer_email ?? ''
  if (former.email === '' || former.email.toLowerCase() === email.toLowerCase()) return
  await queueEmail(query, writeBookingHandedOver(currentShop(), former, version))
}

/** Queues the confirmation email of an edited booking, once for each `version` of the booking. */
async function confirm(
  { currentShop, publicUrl }: NotifyContext,
  query: Query,
  bookingId: string,
  version: number,
): Promise<Notification> {
  const booking = await findChangedBooking(query, bookingId, publicUrl)
  if (!booking) return { refusal: 'BOOKING_NOT_FOUND' }
  if (booking.customerEmail === '') return { refusal: 'NO_EMAIL_ADDRESS' }
  const confirmation = changeEmails.booked(currentShop(), booking)
  const dedupeKey = `${confirmation.dedupeKey}:${version}`
  return { emailId: await queueEmail(query, { ...confirmation, dedupeKey }) }
}
